package require sqlite3
lassign $argv database extension catalog options
sqlite3 app $database
app enable_load_extension 1
app eval {SELECT load_extension($extension)}
app enable_load_extension 0
puts [app onecolumn {SELECT seedbed_up($catalog, $options) ->> 'outcome'}]
flush stdout
while {[gets stdin statement] >= 0} {
  # The app goes on.
  foreach value [app eval $statement] { puts $value }
  flush stdout
}
