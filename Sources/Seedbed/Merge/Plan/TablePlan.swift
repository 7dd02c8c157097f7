/// One table's part of a release, in a temporary table: each row of its files next to the user's
/// row. The user's table is only read until the plan is complete.
///
/// A row has a `kind`, and a `fate`: `apply`, or the reason why not. A column `c` has up to five
/// values:
///
///     n  the seed's value        b  the base            m  the user's value
///     why  what was decided      x  what the column will be: n if the seed's is taken, else m
///
/// `x` is generated and indexed. So demoting a column is one UPDATE of `why`, and every later
/// question is about `x`.
final class TablePlan {
  enum Kind: String { case update, delete, insert, replace }

  /// What becomes of a row. Each fate but three is logged:
  ///
  ///     fate           in a file to     logged as                 the key is left to the user
  ///     refused        change, add      edited, keptUser          no
  ///     deletedByUser  change           deletedByUser, keptUser   yes
  ///     editedRetired  retire           editedRetired, keptUser   yes
  ///     referenced     retire           referenced, keptUser      yes
  ///     absent         retire           nothing                   yes
  ///     keyTaken       add              keyTaken, keptUser        yes
  ///     uniqueTaken    add              uniqueTaken, keptUser     yes
  ///     parentTaken    add              parentTaken, skipped      no
  ///     parentDeleted  add              parentDeleted, skipped    no
  ///
  /// `left` and `same` are not logged. A row with `apply` is, if a policy took a user's value or
  /// row, or some of its columns stay the user's (`Why`): tookSeed, moved or merged.
  enum Fate: Hashable, CustomStringConvertible {
    case apply
    /// An earlier release left its key to the user.
    case left
    /// A row to insert already exists, with the same values.
    case same
    case not(Reason)

    static let absent = Self.not(.absent)
    static let deletedByUser = Self.not(.deletedByUser)
    static let refused = Self.not(.refused)
    static let keyTaken = Self.not(.keyTaken)
    static let uniqueTaken = Self.not(.uniqueTaken)
    static let parentTaken = Self.not(.parentTaken)
    static let parentDeleted = Self.not(.parentDeleted)
    static let editedRetired = Self.not(.editedRetired)
    static let referenced = Self.not(.referenced)

    /// By its word in SQL.
    init?(rawValue word: String) {
      switch word {
      case "apply": self = .apply
      case "left": self = .left
      case "same": self = .same
      default:
        guard let reason = Reason(rawValue: word) else { return nil }
        self = .not(reason)
      }
    }

    var description: String {
      switch self {
      case .apply: "apply"
      case .left: "left"
      case .same: "same"
      case .not(let reason): reason.word
      }
    }

    /// Why the row is not applied.
    var reason: Reason? { if case .not(let reason) = self { reason } else { nil } }

    /// Whether later releases leave the row's key alone.
    var leavesKey: Bool { reason?.leavesKey == true }
  }

  enum Why: String, CaseIterable {
    /// The user already has the seed's value.
    case same
    /// The seed does not change the value: its base is the same. The user's stays, whatever it is.
    case ours
    /// The column takes the seed's value: no user edited it, or the policy overrules the edit.
    case take, overruled
    /// The user's value stays: the user edited it, or another column of a row kept as it is.
    case edited, kept
    case referenced, parentDeleted, parentTaken, uniqueTaken, keyTaken
  }

  /// A column that the release sets, or that a constraint uses.
  struct Column {
    let schema: ColumnSchema
    /// Its position in the table: `n7` is the seed's value for column 7.
    let slot: Int
    var isSet = false
    /// Whether some rows take the seed's value and others do not.
    var hasWhy = false
    var hasBase = false
    var isHeld = false
    /// The expression with which the table or an index computes the value.
    var computed: RowExpression?
  }

  let target: TableTarget
  let number: Int
  /// The name of the temporary table, plain and in SQL.
  let (name, sql): (String, String)
  let context: MergeContext
  let updates: [RowFile]
  let deletes: [RowFile]
  /// The insert files that are staged. Others are streamed into the table in step 7.
  let inserts: [RowFile]
  /// All files, in this order.
  let files: [RowFile]
  /// Whether other rows of the release refer to rows of the insert files by natural key.
  let isNamed: Bool
  let children: [Reference]
  /// The outcomes of the rows, once they are decided.
  var outcomes: [Outcome] {
    get {
      assert(foundOutcomes != nil, "Outcomes are read before they are found.")
      return foundOutcomes ?? []
    }
    set { foundOutcomes = newValue }
  }
  private var foundOutcomes: [Outcome]?
  private let found: PlanColumns
  /// Whether users' rows move to make room for rows to insert.
  let movesUsers: Bool
  /// The keys that are left to the user, by table.
  let left: [ExactText: UsersKeys]
  /// Those of this table, in a temporary table; nil if there are none.
  var leftSQL: String? { left[target.name]?.sql }

  var columns: [Int: Column] { found.columns }
  /// The sets in which this release may change a value.
  var uniqueSets: [UniqueSet] { found.uniqueSets }
  var parents: [ParentKey] { found.parents }
  var rekeyed: Set<Int> { found.rekeyed }
  var connection: any DatabaseSession { context.connection }
  var onEdited: Migrator.EditPolicy { context.onEdited(target) }
  var onTaken: Migrator.CollisionPolicy { context.onTaken(target) }
  func onEdited(_ column: ColumnSchema) -> Migrator.EditPolicy {
    context.onEdited(column, of: target)
  }
  /// Whether users' rows may take a seed's values.
  let replaces: Bool
  var dialect: any Dialect { connection.dialect }
  /// The columns of the key.
  let key: [Int]

  init(
    _ target: TableTarget, number: Int, _ all: [RowFile], staged: [RowFile], isNamed: Bool,
    left: [ExactText: UsersKeys], movesUsers: Bool, context: MergeContext
  ) throws {
    (self.target, self.number, self.isNamed) = (target, number, isNamed)
    (self.left, self.context) = (left, context)
    key = try target.schema.slots(of: target.key.names)
    assert(!key.isEmpty && Set(key).count == key.count, "A key is of some columns.")
    assert(all.allSatisfy { $0.target.name == target.name }, "A file is of another table.")
    assert(staged.allSatisfy { $0.role == .insert }, "Only files of new rows are streamed.")
    name = "seedbed:plan:\(number)"
    sql = context.connection.dialect.temporary(name)
    updates = all.filter { $0.role == .update }
    deletes = all.filter { $0.role == .delete }
    inserts = staged
    files = updates + deletes + inserts
    self.movesUsers = movesUsers && !staged.isEmpty
    children = try context.children(of: target.name)
    replaces = context.onTaken(target).effect.replaces && !staged.isEmpty
    found = try PlanColumns(
      target, files, children: children, replaces: replaces, on: context.connection)
    assert(found.rekeyed.isSubset(of: key), "A column that is not of the key changes it.")
  }

  func slot(of name: String) throws -> Int { try target.schema.slot(of: name) }

  @inline(never) func slots(of names: [String]) throws -> [Int] {
    try target.schema.slots(of: names)
  }

  /// The name of a column in SQL.
  @inline(never) func column(_ slot: Int) -> String {
    assert(target.schema.columns.indices.contains(slot), "The table has no column \(slot).")
    return target.schema.columns[slot].name.quoted
  }

  @inline(never) var ordered: [Column] { columns.values.ordered(by: \.slot) }

  /// The columns for which each row records whose value it takes.
  @inline(never) var decided: [Column] { ordered.filter(\.hasWhy) }

  /// The columns among `slots` for which each row records whose value it takes.
  func decided(_ slots: [Int]) -> [Int] { slots.filter { columns[$0]?.hasWhy == true } }

  /// A server's planner takes a condition that it knows nothing about to hold for few rows.
  func noteStatistics() throws {
    guard let note = dialect.statistics(of: "kind, fate", in: sql) else { return }
    if try connection.count("SELECT count(*) FROM \(sql)") >= 1000 { try connection.execute(note) }
  }

  /// Those among these columns that can be written, and those from which the others are computed.
  func sources(_ slots: [Int]) -> [Int] {
    slots.flatMap { slot in columns[slot]?.computed.map { sources($0.slots) } ?? [slot] }
  }

  /// Whether the engine checks this table's references after each statement.
  var hasImmediateKeys: Bool { target.schema.foreignKeys.contains(where: \.isImmediate) }

  /// A row's number also identifies its file.
  static func firstRow(of file: Int) -> Int64 {
    assert((0..<(1 << 27)).contains(file), "A row's number has no room for file \(file).")
    return Int64(file) << 36
  }

  /// The file of a row in the plan.
  func file(of row: Int64) -> RowFile {
    assert(files.indices.contains(Int(row >> 36)), "Row \(row) is of no file.")
    return files[Int(row >> 36)]
  }

  func origin(of row: Int64) throws -> SeedbedError.Place {
    let line = try connection.number("SELECT line FROM \(sql) WHERE row = ?", [.integer(row)])
    return SeedbedError.Place(file(of: row).place, line: line.map(Int.init))
  }
}
