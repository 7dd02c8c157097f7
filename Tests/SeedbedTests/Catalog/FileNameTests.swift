import Testing

@testable import Seedbed

struct FileNameTests {
  @Test(arguments: [
    ("schema.sql", MigrationFile.Kind.schema), ("up.sql", .up), ("after.sql", .after),
    ("after.down.sql", .afterDown), ("down.sql", .down), ("verify.sql", .verify),
    ("migration.json", .options),
  ])
  func `a file with a name of its own`(_ name: String, _ kind: MigrationFile.Kind) {
    #expect(FileName(name) == .legal(kind, isCompressed: false))
  }

  @Test(arguments: [
    ("elements.csv", "elements", false),
    ("elements.csv.gz", "elements", true),
    ("Order Items.csv", "Order Items", false),
    ("éléments.csv.gz", "éléments", true),
    ("select.csv", "select", false),
    ("a.b.csv", "a.b", false),
    ("up.csv", "up", false),
    ("update.csv", "update", false),
    ("delete.csv.gz", "delete", true),
    ("x.csv.csv", "x.csv", false),
    ("a~b.csv", "a~b", false),
  ])
  func `a file with rows to insert`(_ name: String, _ table: String, _ isCompressed: Bool) {
    #expect(FileName(name) == .legal(.insert(table: table), isCompressed: isCompressed))
  }

  @Test(arguments: [
    ".DS_Store", ".gitkeep", "~$elements.csv", ".csv", ".csv.gz", ".update.csv", ".up.sql.swp",
  ])
  func `an ignored file`(_ name: String) {
    #expect(FileName(name) == .ignored)
  }

  @Test(arguments: [
    ("texts.de~.csv", MigrationFile.Kind.insert(table: "texts"), false),
    ("texts.fr~.update.csv.gz", .update(table: "texts"), true),
    ("a.b.pt-BR ~.delete.csv", .delete(table: "a.b"), false),
    ("a~b.~~.csv", .insert(table: "a~b"), false),
    ("update.x~.csv", .insert(table: "update"), false),
  ])
  func `a file with a tag`(_ name: String, _ kind: MigrationFile.Kind, _ isCompressed: Bool) {
    #expect(FileName(name) == .legal(kind, isCompressed: isCompressed))
  }

  @Test(arguments: [
    ("elements.update.csv", MigrationFile.Kind.update(table: "elements"), false),
    ("elements.update.csv.gz", .update(table: "elements"), true),
    ("elements.delete.csv", .delete(table: "elements"), false),
    ("a.b.delete.csv.gz", .delete(table: "a.b"), true),
  ])
  func `a file that changes or retires rows`(
    _ name: String, _ kind: MigrationFile.Kind, _ isCompressed: Bool
  ) {
    #expect(FileName(name) == .legal(kind, isCompressed: isCompressed))
  }

  @Test(arguments: [
    ("elements.cvs.gz", "elements.csv.gz"),
    ("elements.csv.gzip", "elements.csv.gz"),
    ("elements.csv.zip", "elements.csv.gz"),
    ("elements.gz", "elements.csv.gz"),
    ("elements.CSV", "elements.csv"),
    ("elements.csv.GZ", "elements.csv.gz"),
    ("elements.tsv", "elements.csv"),
    ("elements.csv~", "elements.csv"),
    ("elements.updates.csv", "elements.update.csv"),
    ("elements.UPDATE.csv.gz", "elements.update.csv.gz"),
    ("elements.deleted.csv", "elements.delete.csv"),
    ("elements.insert.csv", "elements.csv"),
    ("elements.inserts.csv.gz", "elements.csv.gz"),
    ("texts~.csv", "texts.csv"),
    ("texts.update.fr~.csv", "texts.fr~.update.csv"),
    ("texts.fr~.updates.csv", "texts.fr~.update.csv"),
    ("texts.fr~.csv~", "texts.fr~.csv"),
    ("Up.sql", "up.sql"),
    ("UP.SQL", "up.sql"),
    ("up.sql.gz", "up.sql"),
    ("up.sql~", "up.sql"),
    ("upp.sql", "up.sql"),
    ("dwon.sql", "down.sql"),
    ("after_down.sql", "after.down.sql"),
    ("verfy.sql", "verify.sql"),
    ("Schema.sql", "schema.sql"),
    ("up.postgres.sql", "up.postgresql.sql"),
    ("up.psql.sql", "up.postgresql.sql"),
    ("up.pg.sql", "up.postgresql.sql"),
    ("after.down.pgsql.sql", "after.down.postgresql.sql"),
    ("Verify.PG.sql", "verify.postgresql.sql"),
    ("up.PostgreSQL.sql", "up.postgresql.sql"),
    ("up.postgresql.sql.gz", "up.postgresql.sql"),
    ("after.postgresql.down.sql", "after.down.postgresql.sql"),
    ("pg.up.sql", "up.postgresql.sql"),
    ("down.sqlite.sql", "down.sql"),
    ("migrations.json", "migration.json"),
    ("migration.jsonc", "migration.json"),
  ])
  func `an unknown file and the name that was meant`(_ name: String, _ nearest: String) {
    #expect(FileName(name) == .unknown(nearest: nearest))
  }

  @Test(arguments: [
    ("schema.postgresql.sql", MigrationFile.Kind.schema), ("up.postgresql.sql", .up),
    ("after.postgresql.sql", .after), ("after.down.postgresql.sql", .afterDown),
    ("down.postgresql.sql", .down), ("verify.postgresql.sql", .verify),
  ])
  func `SQL for PostgreSQL`(_ name: String, _ kind: MigrationFile.Kind) {
    #expect(FileName(name) == .twin(kind))
  }

  @Test(arguments: ["migration.postgresql.json", "other.pg.sql"])
  func `no SQL for PostgreSQL`(_ name: String) {
    #expect(FileName(name) == .unknown(nearest: nil))
  }

  @Test(arguments: ["README.md", "notes.txt", "Thumbs.db", "LICENSE", "a", ""])
  func `an unknown file that is near to nothing`(_ name: String) {
    #expect(FileName(name) == .unknown(nearest: nil))
  }
}
