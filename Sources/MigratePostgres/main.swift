import CSeedbedCommit
import MigrateCommand
import SeedbedPostgres

MigrateCommand.main(
  server: ServerFactory(
    database: {
      PostgresServer($0.uri, ledger: $1, schema: $0.schema, name: $0.name)
    },
    schemas: { try PostgresServer.schemas(of: $0, having: $1, ledger: $2) },
    tenants: { ledger in
      let connections = PostgresConnections()
      return {
        PostgresServer(
          $0.uri, ledger: ledger, schema: $0.schema, name: $0.name, size: $1,
          connections: connections)
      }
    }), commit: String(cString: seedbed_commit()))
