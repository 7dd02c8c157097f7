Rails.application.config.seedbed.tap do |seedbed|
  # The folder of all releases.
  seedbed.catalog = "Migrations"

  # The class of models whose database gets the rows, on SQLite or PostgreSQL.
  # seedbed.database = -> { ActiveRecord::Base }

  # Options of the program for all verbs, such as a prefix of the ledger.
  # seedbed.options = {lock_timeout: 30}

  # Options of `up` alone, which db:migrate calls: a server needs MIGRATE_BACKUP_COMMAND in the
  # environment, or this if it is backed up anyway.
  # seedbed.up = {no_backup: true}
end
