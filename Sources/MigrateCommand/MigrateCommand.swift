public import Seedbed
public func placeholder(_ m: Migrator) {}
