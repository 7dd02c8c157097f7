require "sqlite3"

$stdout.sync = true
database, extension, catalog, options = ARGV
app = SQLite3::Database.new(database)
app.enable_load_extension(true)
app.load_extension(extension)
app.enable_load_extension(false)
up = "SELECT seedbed_up(?, ?) ->> 'outcome'"
puts app.get_first_value(up, [catalog, options])
$stdin.each_line do |statement| # The app goes on.
  app.execute(statement) { |row| puts row[0] }
end
