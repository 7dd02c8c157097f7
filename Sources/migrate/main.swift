import CSeedbedCommit
import MigrateCommand

MigrateCommand.main(server: nil, commit: String(cString: seedbed_commit()))
