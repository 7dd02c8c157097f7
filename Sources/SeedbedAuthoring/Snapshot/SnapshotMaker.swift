import Seedbed
import SeedbedCells

/// Makes one snapshot: applies all migrations, writes the result, tests it, and publishes it.
struct SnapshotMaker {
  private let catalog: Catalog
  private let last: Migration
  private let settings: ScratchSettings

  private var folder: String { last.folder + FolderName.snapshotSuffix }

  init(directory: String, version: Version?, _ settings: ScratchSettings) throws {
    catalog = try Catalog(authoring: directory)
    self.settings = settings
    try CatalogLock.refuseRewritten(catalog)
    let migrations = try catalog.migrations()
    guard let last = migrations.last(where: { $0.version == version ?? $0.version }) else {
      throw SeedbedError.snapshotOfNothing(version, migrations.map(\.version))
    }
    self.last = last
  }

  func make() throws -> SnapshotSummary {
    let long = try ScratchDatabase(notingWritesOf: catalog, to: last.version, settings)
    if let taken = try long.takenKey() { throw SeedbedError.snapshotTaken(taken.table, taken.key) }
    let schema = try SnapshotSchema(long)
    if let name = schema.changedByFiles { throw SeedbedError.changesTheApps(name) }
    let columns = try SnapshotColumns(long, schema)
    let rows = try SnapshotRows(long, schema, columns)
    let old = try catalog.snapshots().first { $0.version == last.version }
    let files = try files(schema, rows)
    let isChanged = try old?.folder != folder || !isSame(files, as: old)
    if isChanged {
      _ = try ReleaseWriter(directory: catalog.path).publish(
        [ReleaseWriter.FolderContent(name: folder, files: files)], replacing: old?.folder,
        options: options()
      ) { try prove($0, long, columns) }
    }
    return SnapshotSummary(
      folder: folder, version: last.version,
      migrations: try catalog.migrations().count { $0.version <= last.version },
      tables: rows.files.count, rows: rows.rows, isChanged: isChanged)
  }

  /// The bytes of catalog.json; nil if there is none.
  private func options() throws -> [UInt8]? {
    try catalog.hasOptions() ? try catalog.bytes(of: Lock.optionsName) : nil
  }

  private func prove(
    _ staged: Catalog, _ long: ScratchDatabase, _ columns: SnapshotColumns
  ) throws {
    let joined = try Catalog([catalog, staged])
    let short = try ScratchDatabase(
      .authored(joined), to: last.version, settings,
      startingWith: joined.snapshots().first { $0.version == last.version })
    if let difference = try SnapshotProof(long: long, short: short, columns).difference() {
      throw SeedbedError.snapshotDiffers(difference)
    }
  }

  private func isSame(_ files: [NewFile], as old: Migration?) throws -> Bool {
    guard let old, old.allFiles.map(\.name).asTexts == files.map(\.name).asTexts else {
      return false
    }
    return try old.allFiles.allSatisfy { file in
      let summary = try catalog.summary(of: file, in: old)
      switch files.first(where: { $0.name.isSameText(as: file.name) })?.content {
      case .bytes(let bytes), .compressed(let bytes):
        return summary.digest == Checksum.digest(of: bytes)
      default: return false
      }
    }
  }

  private func files(
    _ schema: SnapshotSchema, _ rows: SnapshotRows
  ) throws -> [NewFile] {
    let scripts = [
      ("schema.sql", schema.schemaSQL), ("up.sql", schema.upSQL + rows.upSQL),
      ("after.sql", rows.afterSQL + schema.afterSQL),
      ("migration.json", try options(schema, rows).text),
    ]
    return scripts.filter { !$0.1.isEmpty }.map { NewFile($0.0, Array($0.1.utf8)) }
      + rows.files.map { NewFile("\($0.table).csv.gz", compressing: $0.bytes) }
  }

  private func options(
    _ schema: SnapshotSchema, _ rows: SnapshotRows
  ) throws -> SnapshotOptions {
    let covered = try catalog.migrations().filter { $0.version <= last.version }
    let beginning = try catalog.beginning(to: last.version).map { [$0] } ?? []
    return SnapshotOptions(
      try mark(schema, rows), rows.options, try Allows.ofSchema(beginning + covered, of: catalog))
  }

  private static func chain(of catalog: Catalog, to version: Version) throws -> String {
    var chain = try catalog.base()?.chain
    for migration in try catalog.migrations() where migration.version <= version {
      chain = Checksum.chain(
        after: chain, version: migration.version, checksum: try catalog.checksum(of: migration))
    }
    return chain ?? ""
  }

  private func mark(_ schema: SnapshotSchema, _ rows: SnapshotRows) throws -> SnapshotMark {
    var mark = SnapshotMark(
      chain: try Self.chain(of: catalog, to: last.version), creates: schema.creates)
    (mark.fills, mark.columns) = (rows.fills, rows.filled)
    mark.withdrawn = try catalog.migrations().filter {
      $0.isWithdrawn && $0.version <= last.version
    }.map(\.version)
    return mark
  }
}

/// The migration.json of a snapshot.
struct SnapshotOptions {
  let text: String

  init(
    _ mark: SnapshotMark, _ tables: [Name: TableOptions], _ allows: [LintCode: [String]]
  ) {
    var parts = ["\"chain\": \(mark.chain.json)", "\"creates\": \(Self.list(mark.creates))"]
    if !mark.fills.isEmpty { parts.append("\"fills\": \(Self.list(mark.fills))") }
    if !mark.columns.isEmpty {
      let lines = mark.columns.map { "      \($0.text.json): \(Self.list($1))" }
      parts.append("\"columns\": {\n\(lines.sorted().joined(separator: ",\n"))\n    }")
    }
    if !mark.withdrawn.isEmpty {
      parts.append("\"withdrawn\": [\(mark.withdrawn.map(String.init).joined(separator: ", "))]")
    }
    var members = [
      "  \"snapshot\": {\n" + parts.map { "    \($0)" }.joined(separator: ",\n") + "\n  }"
    ]
    if !allows.isEmpty {
      let lines = allows.map { "    \($0.rawValue.json): \($1.joined(separator: " ").json)" }
      members.append("  \"allow\": {\n" + lines.sorted().joined(separator: ",\n") + "\n  }")
    }
    if !tables.isEmpty {
      members.append("  \"tables\": {\n" + Self.entries(tables) + "\n  }")
    }
    text = "{\n" + members.joined(separator: ",\n") + "\n}\n"
  }

  static func entries(_ tables: [Name: TableOptions]) -> String {
    tables.sorted { $0.key < $1.key }.map { name, options in
      let key = options.ownKey.map { ["\"key\": " + list($0)] } ?? []
      let blobs = options.blobs.sorted { $0.key < $1.key }.map {
        "\($0.key.text.json): \($0.value.rawValue.json)"
      }
      let all = key + (blobs.isEmpty ? [] : ["\"blobs\": {\(blobs.joined(separator: ", "))}"])
      return "    \(name.text.json): {\(all.joined(separator: ", "))}"
    }.joined(separator: ",\n")
  }

  private static func list(_ names: [String]) -> String {
    "[" + names.map(\.json).joined(separator: ", ") + "]"
  }
}

extension SeedbedError {
  fileprivate static func snapshotOfNothing(
    _ version: Version?, _ versions: [Version]
  ) -> SeedbedError {
    guard let last = versions.last else {
      return SeedbedError(.usage, "There is no migration to make a snapshot from.")
    }
    return unknownVersion(version ?? 0, first: versions.first, last: last)
  }

  fileprivate static func snapshotTaken(_ table: String, _ key: String) -> SeedbedError {
    SeedbedError(
      .conflict,
      "On an empty database a row that an SQL file wrote takes the key \(key.shortened(to: 40)) of "
        + "'\(table)' from a row of the CSV files. A snapshot cannot keep that: let one file write "
        + "it.")
  }

  fileprivate static func changesTheApps(_ name: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "SQL files change '\(name)', which schema.sql says is the app's own: a database that begins "
        + "with a snapshot would lack that change. Make the change in the app, and show it in "
        + "schema.sql.")
  }

  fileprivate static func snapshotDiffers(_ difference: String) -> SeedbedError {
    SeedbedError(
      .verify,
      "A snapshot would differ from all migrations: \(difference). Nothing was written. If a "
        + "clock, random() or a trigger fills the column, name it under 'ignore'.")
  }
}
