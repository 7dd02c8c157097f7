# frozen_string_literal: true

require "active_record/railtie"
require "erb"

# What Rails adds: settings, tasks, and generators.
module Seedbed
  class << self
    # Calls a verb with the settings' database, catalog and options.
    def on_rails(verb, *operands, **options, &progress)
      public_send(verb, settings.database.call, *operands, **of_settings, **options, &progress)
    end

    def settings = Rails.application.config.seedbed

    def of_settings = {catalog: Rails.root.join(settings.catalog), **settings.options}

    # The URL of what database.yml says, or a path, which begins at the folder of the application.
    def url(config)
      return of_sqlite(config[:database].to_s) if config[:adapter].match?(/sqlite/)
      return of_postgresql(config) if config[:adapter].match?(/\Apost/)
      raise ArgumentError, "Seedbed is for SQLite and PostgreSQL, and not for " \
                           "'#{config[:adapter]}'. Name a database in config.seedbed.database."
    end

    private

    # The program refuses a URI and a database in memory.
    def of_sqlite(path)
      path.match?(/\A(file:|:memory:)/) ? path : File.expand_path(path, Rails.root)
    end

    # The parameters of a connection, as the adapter itself chooses them.
    def of_postgresql(config)
      found = config.transform_keys(username: :user, database: :dbname)
      found = found.slice(*PG::Connection.conndefaults_hash.keys).compact
      if (path = config[:schema_search_path])
        path = path.gsub(/[\\ ]/) { |character| "\\#{character}" }
        found[:options] = "#{found[:options]} -csearch_path=#{path}"
      end
      found = found.map { |name, value| "#{name}=#{ERB::Util.url_encode(value)}" }
      "postgresql:///?#{found.join("&")}"
    end
  end

  class Railtie < Rails::Railtie
    config.seedbed = ActiveSupport::OrderedOptions.new
    config.seedbed.catalog = "Migrations"
    config.seedbed.database = -> { ActiveRecord::Base }
    config.seedbed.options = {} # of all verbs
    config.seedbed.up = {} # of `up` alone

    # The ledger is no part of the application's schema: a database that is made from a dump would
    # have the ledger of another one. Rails 6.1 takes no patterns if the dump is SQL.
    config.after_initialize do
      prefix = config.seedbed.options.fetch(:ledger, "seedbed")
      tables = %w[applying conflicts ledger left_to_user migrations owners runs]
      ActiveSupport.on_load(:active_record) do
        ActiveRecord::SchemaDumper.ignore_tables |= tables.map { |name| "#{prefix}_#{name}" }
      end
    end

    rake_tasks { load File.expand_path("tasks.rake", __dir__) }
  end
end
