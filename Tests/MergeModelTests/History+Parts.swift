@testable import Seedbed

extension Clash {
  func without(_ columns: Set<String>) -> Clash {
    let rest = { (object: [String: Cell]?) in object?.filter { !columns.contains($0.key) } }
    var clash = self
    (clash.base, clash.mine, clash.seed) = (rest(base), rest(mine), rest(seed))
    return clash
  }

  var line: String {
    "\n    \(table) \(key) \(kind) \(policy ?? "-") \(resolution) base \(base?.description ?? "-")"
      + " mine \(mine?.description ?? "-") seed \(seed?.description ?? "-")"
  }
}

extension Model {
  /// The data, ready for the next release.
  func withoutReport() -> Model {
    Model(shape, tables.map { $0.compactMap { $0 } }, left: left)
  }
}

extension Policies {
  init(_ policy: Policy) {
    self.init(
      onEdited: policy.onEdited.flatMap(OnEdited.init),
      onTaken: policy.onTaken.flatMap(OnTaken.init))
  }
}

extension Shape {
  func policy(_ dice: inout Dice) -> Policy {
    var policy = Policy()
    let edited = ["keepEdits", "preferSeed", "keepRow", "overwriteRow", "fail"]
    if dice.chance(70) { policy.onEdited = dice.pick(edited) }
    if dice.chance(50) { policy.onTaken = dice.pick(["keepUser", "replaceUser", "fail"]) }
    return policy
  }

  func policies(_ dice: inout Dice) -> [Policy] {
    tables.map { _ in policy(&dice) }
  }
}
