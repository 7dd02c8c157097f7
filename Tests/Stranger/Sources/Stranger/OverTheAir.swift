import Foundation
import Seedbed
import SeedbedOverTheAir

extension Stranger {
  /// The key whose signature is in Tests/Stranger/OverTheAir/june.seedbed. It was thrown away.
  private static let key = "ed25519:fJB5JBHtWVF7u7H8dLv78QXRZPeiE3nrgL7rNRINBvY="

  static func tryDownloads(_ folder: String, _ locked: String) throws {
    let place = locked + "/../Tests/Stranger/OverTheAir"
    let downloads = [place + "/june.seedbed", folder + "/none.seedbed"]
    var catalog = try Catalog.newest(
      bundled: place + "/Shipped", downloaded: downloads, signedBy: [key], allowsSQL: false,
      known: [:])
    let passedOver = given("download that was passed over", catalog.passedOver.first)
    expect("its reason", passedOver.reason, .missing)
    expect("its path", passedOver.path.hasSuffix("/none.seedbed"))
    expect("a sentence about it", passedOver.description.contains("was passed over"))
    let migrator = Migrator(catalog: catalog, at: folder + "/june.sqlite")
    let report = try migrator.up()
    expect("the release came by a download", report.to, 2)
    expect("the report has what was passed over", report.passedOver, [passedOver])

    let fleet = Fleet(catalog: catalog, at: [folder + "/june.sqlite"])
    let summary = try fleet.up()
    let passedOverCount = given("what a fleet passed over", summary.passedOver.first)
    expect("the same download", passedOverCount.download, passedOver)
    expect("by one database", passedOverCount.databases, 1)

    let status = try migrator.status()
    expect("so has the status", status.passedOver, [passedOver])
    let signedHead = given("signed release", status.signedHeads.first)
    expect("its key", signedHead.key, key)
    expect("its version", signedHead.version, 2)
    expect("its lock", signedHead.lock.hasPrefix("sha256:"))
    expect("when it was signed", signedHead.signedAt?.text.hasPrefix("20") == true)

    catalog = try Catalog.newest(
      bundled: URL(fileURLWithPath: place + "/Shipped"),
      downloaded: downloads.prefix(1).map { URL(fileURLWithPath: $0) }, signedBy: [key],
      allowsSQL: true, known: [key: 3])
    expect("what is known to be older is no news", catalog.passedOver.map(\.reason), [.older])
    expect("the app starts", try Migrator(catalog: catalog, at: folder + "/new.sqlite").up().to, 1)
    let wrong = try error { try Catalog.newest(bundled: place, downloaded: [], signedBy: ["key"]) }
    expect("a text that is no key", wrong.code, .usage)
  }
}
