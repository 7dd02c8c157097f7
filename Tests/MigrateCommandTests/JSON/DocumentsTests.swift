import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// Every document, whole: programs out there read them.
struct DocumentsTests {
  @Test func `status`() {
    var status = Examples.twoPending
    status.migrations.removeSubrange(1...2)
    status.lastRun = Migrator.Status.LastRun(
      outcome: .interrupted, startedAt: "2026-09-01T08:12:43.000Z", interruptedCount: 2)
    #expect(
      JSON.status(status).text == #"""
        {"schema":1,"database":"/home/app.sqlite","catalog":"/home/Migrations","current":2,\#
        "target":4,"state":"pending","migrations":[{"version":1,"name":"elements",\#
        "state":"applied","rows":118,"appliedAt":"2026-09-01T08:12:44.001Z","durationMs":12,\#
        "checksum":"sha256:9f3c2a77"},{"version":4,"name":"weights_2021","state":"pending",\#
        "rows":6,"appliedAt":null,"durationMs":null,"checksum":null}],\#
        "lastRun":{"outcome":"interrupted","startedAt":"2026-09-01T08:12:43.000Z",\#
        "interruptedCount":2,"message":null}}
        """#)
  }

  @Test func `up`() {
    var report = Examples.twoApplied
    report.migrations.removeLast()
    report.touchedTables = ["elements", "log"]
    #expect(
      JSON.report(report).text == #"""
        {"schema":1,"database":"/home/app.sqlite","from":2,"to":4,\#
        "backup":"/home/app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite",\#
        "outcome":"applied","migrations":[{"version":3,"name":"iupac_2016","durationMs":11,\#
        "tables":[{"table":"elements","inserted":0,"updated":4,"deleted":0,"unchanged":0,\#
        "kept":0}],"conflicts":[{"id":1,"version":3,"table":"elements","key":{"number":113},\#
        "kind":"edited","policy":"keepEdits","resolution":"merged","movedTo":null,\#
        "base":{"name":"Ununtrium"},"mine":{"name":"Bobium"},"seed":{"name":"Nihonium"},\#
        "at":"2026-11-20T08:12:44.131Z","settled":null,"settledAt":null}],"conflictCount":1}],\#
        "touchedTables":["elements","log"]}
        """#)
  }

  @Test func `up with nothing to do`() {
    #expect(
      JSON.report(Examples.report(from: 4, [])).text == #"""
        {"schema":1,"database":"/home/app.sqlite","from":4,"to":4,"backup":null,\#
        "outcome":"upToDate","migrations":[],"touchedTables":[]}
        """#)
  }

  @Test func `a report's notes`() {
    var report = Examples.report(from: 4, [])
    report.notes = ["The backup could not be checked."]
    #expect(
      JSON.report(report).text.hasSuffix(
        #""touchedTables":[],"notes":["The backup could not be checked."]}"#))
  }

  @Test func `outlook`() {
    #expect(JSON.outlook(.upToDate).text == #"{"schema":1,"outlook":"upToDate"}"#)
    #expect(JSON.outlook(.newer).text == #"{"schema":1,"outlook":"newer"}"#)
    let estimate = Migrator.Estimate(
      pending: [3, 4], bytes: 612, rows: 22, neededBytes: 1_224, freeBytes: 9_000_000,
      duration: nil)
    #expect(
      JSON.outlook(.pending(estimate)).text
        == JSON.estimate(estimate).text.replacing(
          #"{"schema":1,"#, with: #"{"schema":1,"outlook":"pending","#))
  }

  @Test func `origin`() {
    let original: Migrator.Row = #"{"number":113,"name":"Nihonium"}"#
    let origin = Migrator.Origin(kind: .editedSeed, original: original, isPinned: true)
    #expect(
      JSON.origin(origin).text == #"""
        {"schema":1,"origin":"editedSeed","original":{"number":113,"name":"Nihonium"},\#
        "isPinned":true}
        """#)
    #expect(
      JSON.origin(nil).text == #"{"schema":1,"origin":null,"original":null,"isPinned":false}"#)
  }

  @Test func `absent`() {
    let row = Migrator.AbsentRow(
      table: "elements", key: #"{"number":113}"#, row: #"{"number":113,"name":"Nihonium"}"#,
      reason: .uniqueTaken, version: 3)
    #expect(
      JSON.absent([row]).text == #"""
        {"schema":1,"absent":[{"table":"elements","key":{"number":113},"reason":"uniqueTaken",\#
        "row":{"number":113,"name":"Nihonium"},"version":3}]}
        """#)
    #expect(JSON.absent([]).text == #"{"schema":1,"absent":[]}"#)
  }

  @Test func `conflicts`() {
    var conflict = Examples.conflict(.deletedByUser, .keptUser)
    (conflict.policy, conflict.base, conflict.mine) = (nil, nil, nil)
    conflict.movedTo = #"{"number":1001}"#
    #expect(
      JSON.conflicts([conflict]).text == #"""
        {"schema":1,"conflicts":[{"id":1,"version":3,"table":"elements","key":{"number":113},\#
        "kind":"deletedByUser","policy":null,"resolution":"keptUser",\#
        "movedTo":{"number":1001},"base":null,"mine":null,"seed":{"name":"Nihonium"},\#
        "at":"2026-11-20T08:12:44.131Z","settled":null,"settledAt":null}]}
        """#)
    #expect(
      JSON.conflicts([], pruned: 3).text == #"{"schema":1,"conflicts":[],"pruned":3}"#)
  }

  @Test func `backups`() {
    #expect(
      JSON.backups([Examples.backup], of: "/home/app.sqlite").text == #"""
        {"schema":1,"database":"/home/app.sqlite","backups":[\#
        {"path":"/home/app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite","version":2,\#
        "takenAt":"2026-11-20T08:12:44.120Z","bytes":1216512}]}
        """#)
  }

  @Test func `restore`() {
    let report = Migrator.RestoreReport(
      database: "/home/app.sqlite", from: 4, to: 2, restored: Examples.backup, backup: nil)
    #expect(
      JSON.restore(report).text == #"""
        {"schema":1,"database":"/home/app.sqlite","from":4,"to":2,\#
        "restored":"/home/app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite",\#
        "backup":null,"outcome":"restored"}
        """#)
  }

  @Test func `verify`() {
    let finding = SeedbedError(
      .drift, "changed", at: .init("0001_a/up.sql"), version: 1)
    #expect(
      JSON.findings([finding], about: [("database", .string("a"))]).text == #"""
        {"schema":1,"database":"a","findings":[{"code":"drift","message":"changed",\#
        "file":"0001_a/up.sql","line":null,"column":null,"version":1}]}
        """#)
  }

  @Test func `an error`() {
    let error = SeedbedError(
      .csv, "found 6 fields, expected 7.", at: .init("0004_a/a.csv.gz", line: 219, column: 7),
      version: 4
    ).with { ($0.applied, $0.isDatabaseUnchanged) = ([2, 3], false) }
    #expect(
      JSON.error(error).text == #"""
        {"schema":1,"error":{"code":"csv","message":"found 6 fields, expected 7.",\#
        "file":"0004_a/a.csv.gz","line":219,"column":7,"version":4},"databaseUnchanged":false,\#
        "applied":[2,3]}
        """#)
  }

  @Test func `an estimate`() {
    let estimate = Migrator.Estimate(
      pending: [3, 4], bytes: 612, rows: 22, neededBytes: 1_224, freeBytes: 9_000_000,
      duration: .milliseconds(40))
    #expect(
      estimate.json == #"""
        {"schema":1,"pending":[3,4],"bytes":612,"rows":22,"neededBytes":1224,"freeBytes":9000000,\#
        "durationMs":40}
        """#)
  }

  @Test func `the library's are the command's`() {
    let (report, status) = (Examples.twoApplied, Examples.twoPending)
    #expect(report.json == JSON.report(report).text && report.json.hasPrefix(#"{"schema":1,"#))
    #expect(status.json == JSON.status(status).text)
    #expect(
      Migrator.Conflict.json([Examples.conflict, Examples.conflict])
        == JSON.conflicts([Examples.conflict, Examples.conflict]).text)
    let error = SeedbedError(.newer, "newer", version: 7)
    #expect(error.json == JSON.error(error).text)
  }
}
