import MigrateCommand
import SeedbedPostgres

MigrateCommand.main(
  server: { PostgresServer($0, ledger: $1) },
  rehearsal: { try ServerRehearsal($0, on: $1, cancellation: $2).run(progress: $3) })
