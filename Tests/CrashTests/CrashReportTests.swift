import SeedbedFaults
import Testing

@Suite struct CrashReportTests {
  @Test func `what is found names the command that plays it again`() {
    var report = CrashReport()
    let command = Settings.replay("CrashStateTests", seed: 7, only: "an app's database")
    report.add("an app's database", "wal", "kill", nil, replay: command)
    #expect(report.problems == [])
    report.add(
      "an app's database", "wal", "kill", Judge.Finding(fault: .mixed, text: "half of it"),
      replay: command)
    #expect(
      report.problems == [
        """
        mixed: an app's database, wal, kill: half of it
        SEEDBED_CRASH_SEED=7 SEEDBED_CRASH_DRAWS=\(Settings.draws) \
        SEEDBED_CRASH_ONLY="an app's database" swift test --filter CrashStateTests
        """
      ])
    #expect(report.cases == 2)
    #expect(report.table.contains("| an app's database | wal | kill | 2 | 0 | 1 | 0 | 0 |"))
  }
}
