require "json"
require "open3"

# The ledger is no part of the application's schema.
ActiveRecord::SchemaDumper.ignore_tables << /\Aseedbed_/

namespace :seedbed do
  desc "Brings the rows of Migrations to the database"
  task up: :environment do
    config = ActiveRecord::Base.connection_db_config.configuration_hash
    database =
      if config[:adapter] == "sqlite3"
        {"MIGRATE_DATABASE" => File.expand_path(config[:database], Rails.root)}
      else
        {"MIGRATE_DATABASE" => "postgresql://", "PGDATABASE" => config[:database],
         "PGHOST" => config[:host], "PGPORT" => config[:port]&.to_s,
         "PGUSER" => config[:username], "PGPASSWORD" => config[:password]}
      end
    answer, status = Open3.capture2(
      database.compact, "seedbed", "up", "--must-exist", "--json", chdir: Rails.root.to_s)
    report = JSON.parse(answer)
    unless status.success?
      warn "seedbed: #{report["error"]["message"]}"
      exit status.exitstatus
    end
    Rails.cache.clear if report["touchedTables"].any?
    puts "Rows are at release #{report["to"]} (#{report["outcome"]})."
  end
end

%w[db:migrate db:prepare].each do |name|
  Rake::Task[name].enhance { Rake::Task["seedbed:up"].invoke unless ENV["VERSION"] }
end
