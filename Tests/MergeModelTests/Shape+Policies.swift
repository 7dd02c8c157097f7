import Seedbed
import TestSupport

extension Shape {
  func policy(_ dice: inout Dice) -> Policy {
    var policy = Policy()
    let edited = ["keepEdits", "preferSeed", "keepRow", "overwriteRow", "fail"]
    if dice.chance(70) { policy.onEdited = dice.pick(edited) }
    if dice.chance(50) {
      policy.onTaken = dice.pick(["keepUser", "moveUser", "moveUser", "replaceUser", "fail"])
    }
    return policy
  }

  func policies(_ features: Features, _ dice: inout Dice) -> [Policy] {
    tables.map { table in
      var policy = policy(&dice)
      if table.isRowid, dice.chance(40) { policy.onTaken = "moveUser" }
      return policy.limited(to: features)
    }
  }

  /// The same with policies for some columns, which replace those of catalog.json if a migration
  /// has them.
  func withColumns(_ policies: [Policy], _ dice: inout Dice) -> [Policy] {
    zip(tables, policies).map { table, policy in
      var policy = policy
      if policy.onEdited == "keepRow" || policy.onEdited == "overwriteRow" {
        // It is about whole rows.
        policy.columns = [:]
      } else if dice.chance(50) {
        if policy.onEdited == nil { policy.onEdited = "keepEdits" }
        let own = table.columns.indices.filter { !table.key.contains($0) && dice.chance(40) }
        policy.columns = Dictionary(
          uniqueKeysWithValues: own.map { ($0, dice.pick(["keepEdits", "preferSeed"])) })
      }
      return policy
    }
  }
}

extension Migrator.Policies {
  init(_ policy: Policy) {
    self.init(
      onEdited: policy.onEdited.flatMap(Migrator.EditPolicy.init),
      onTaken: policy.onTaken.flatMap(Migrator.CollisionPolicy.init))
  }
}
