# frozen_string_literal: true

# Plays calls by the gem, a line of JSON each.
require "json"
require "seedbed"

$stdout.sync = true
$stdin.each_line do |line|
  verb, database, catalog, operands = JSON.parse(line)
  options = {catalog: catalog}
  options[:no_backup] = true if %w[up down reseed].include?(verb)
  document =
    begin
      # A method of the gem brings back single rows, and the verb a whole table.
      if Seedbed.respond_to?(verb) && verb != "reseed"
        Seedbed.public_send(verb, database, *operands, **options)
      else
        Seedbed.call(verb, database, *operands, **options)
      end
    rescue Seedbed::Error => error
      error.json
    end
  puts JSON.generate(document)
end
