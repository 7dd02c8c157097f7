import CSeedbedCommit
import MigrateCommand
import SeedbedPostgres

MigrateCommand.main(
  server: { PostgresServer($0, ledger: $1) }, commit: String(cString: seedbed_commit()))
