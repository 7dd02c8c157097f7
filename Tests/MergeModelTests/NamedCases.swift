import Testing

@Suite struct `Each row of the reference page's tables` {
  @Test(arguments: NamedCase.inserts + NamedCase.updates + NamedCase.deletes)
  func `is as it says`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.keys + NamedCase.values)
  func `holds for keys and values`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.replaced)
  func `holds for rows that were replaced`(_ named: NamedCase) throws { try named.run() }
