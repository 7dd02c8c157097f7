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
}
