import MigrateCommand

MigrateCommand.main()
