import MigrateCommand

runMigrate()
