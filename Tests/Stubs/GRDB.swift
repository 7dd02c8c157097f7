// As GRDB 7.8 spells it.
public import Foundation

public final class Database {
  public static let suspendNotification = Notification.Name("GRDB.Database.Suspend")
  public var sqliteConnection: OpaquePointer? { nil }
  public func execute(sql: String) throws {}
  public func clearSchemaCache() {}
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {}
  public var totalChangesCount: Int { 0 }

  public enum TransactionKind { case deferred, immediate, exclusive }
  public enum TransactionCompletion { case commit, rollback }

  public func inTransaction(
    _ kind: TransactionKind? = nil, _ operations: () throws -> TransactionCompletion
  ) throws {}
}

public protocol DatabaseRegionConvertible {}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
  public static var fullDatabase: Self { DatabaseRegion() }
}

public struct DatabaseRegion: DatabaseRegionConvertible, Sendable {}

public struct Table: DatabaseRegionConvertible, Sendable {
  public init(_ name: String) {}
}

public protocol DatabaseWriter: AnyObject, Sendable {
  func writeWithoutTransaction<T: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> T
  ) async throws -> T
  func write<T: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> T
  ) async throws -> T
}

public final class DatabasePool: DatabaseWriter {
  public init(path: String) throws {}

  public func writeWithoutTransaction<T: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> T
  ) async throws -> T { try updates(Database()) }

  public func write<T: Sendable>(
    _ updates: @escaping @Sendable (Database) throws -> T
  ) async throws -> T { try updates(Database()) }
}

public struct DatabaseMigrator: Sendable {
  public init() {}

  public mutating func registerMigration(
    _ identifier: String, migrate: @escaping @Sendable (_ db: Database) throws -> Void
  ) {}

  public func migrate(_ writer: any DatabaseWriter) throws {}
}
