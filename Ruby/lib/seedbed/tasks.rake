# frozen_string_literal: true

require "shellwords"

namespace :seedbed do
  # An exit code says more than a trace.
  reporting = lambda do |&block|
    block.call
  rescue Seedbed::Error => error
    $stderr.puts "seedbed: #{error.message}"
    exit error.exit_code
  end

  desc "Bring the rows of the catalog to the database (options: SEEDBED_OPTIONS=--no-backup)"
  task up: :environment do
    words = Shellwords.split(ENV.fetch("SEEDBED_OPTIONS", ""))
    reporting.call do
      report = Seedbed.on_rails(:up, must_exist: true, **Seedbed.settings.up, words: words)
      Rails.cache.clear if report["touchedTables"].any?
      found = report["migrations"].sum { |release| release["conflictCount"] }
      puts "Rows are at release #{report["to"]} (#{report["outcome"]}), conflicts: #{found}."
      $stderr.puts [*report["notes"], *report["passedOver"]&.map { |each| each["message"] }]
    end
  end

  desc "Run the program on the application's database, such as: rails 'seedbed:run[status]'"
  task :run, [:words] => :environment do |_, given|
    verb, *words = Shellwords.split(given.to_a.join(","))
    variables, flags = Seedbed.arguments(Seedbed.settings.database.call, **Seedbed.of_settings)
    exec(variables, [Seedbed.program, "seedbed"], verb.to_s, *flags, *words)
  end

  # A table that a migration made again is empty, while the ledger says that its rows had come.
  versions = lambda do
    connection = ActiveRecord::Base.connection
    table = ActiveRecord::Base.schema_migrations_table_name
    connection.table_exists?(table) ? connection.select_values("SELECT version FROM #{table}") : []
  end
  before = nil
  task(remember: :environment) { before = versions.call }
  task say_what_is_empty: :environment do
    next if before == versions.call
    reporting.call do
      Seedbed.on_rails(:verify)["emptied"].to_a.each do |table|
        name, rows = table.values_at("table", "rows")
        $stderr.puts "seedbed: '#{name}' is empty, and #{rows} rows had come to it. If a " \
                     "migration made it again, bring them back: " \
                     "bin/rails 'seedbed:run[reseed #{name}]'"
      end
    end
  end
end

# One step of the schema is no deploy.
Rake::Task["db:migrate"].enhance(["seedbed:remember"]) do
  next if ENV["VERSION"]
  Rake::Task["seedbed:up"].invoke
  Rake::Task["seedbed:say_what_is_empty"].invoke
end
Rake::Task["db:prepare"].enhance { Rake::Task["seedbed:up"].invoke }
