import Foundation

/// Asks for symbols and names, and remembers the answers.
///
/// The record refers to the elements by a foreign key. So it follows an element whose number
/// changes, and one that a release retires stays as long as there are answers about it.
struct Quiz {
  let database: Database

  struct Question: Equatable {
    let element: String
    /// The column that is asked for.
    let asked: String
    let text: String
    let answer: String
  }

  /// An element is not asked again for this many questions.
  static let pause = 10
  static let tries = 1000

  /// All that a draw reads. From the master table, it reads only the ends and single rows.
  static let lately = "SELECT element FROM studies ORDER BY id DESC LIMIT \(pause)"
  static let missed = """
    SELECT element FROM (
      SELECT element, correct, max(id) FROM studies
      WHERE id > (SELECT max(id) FROM studies) - 1000 GROUP BY element
    ) WHERE correct = 0
    """
  static let ends = "SELECT (SELECT min(number) FROM elements), (SELECT max(number) FROM elements)"
  static let element = "SELECT number, symbol, name FROM elements WHERE number = ?"

  /// Only for a table that is almost all gaps, since these read a whole index.
  static let count = "SELECT count(*) FROM elements"
  static let place = "SELECT number FROM elements LIMIT 1 OFFSET ?"

  func next<Generator: RandomNumberGenerator>(
    using generator: inout Generator
  ) throws -> Question? {
    guard let number = try draw(using: &generator),
      let row = try database.rows(Self.element, number).first
    else { return nil }
    let (symbol, name) = (row[1], row[2])
    return Bool.random(using: &generator)
      ? Question(
        element: number, asked: "symbol", text: "What is the symbol of \(name)?", answer: symbol)
      : Question(
        element: number, asked: "name", text: "Which element has the symbol \(symbol)?",
        answer: name)
  }

  /// Draws an element without reading the table, which may have a million rows.
  ///
  /// 1. Every second time, one of the elements whose last answer was wrong, if there are any among
  ///    the last thousand answers.
  /// 2. Otherwise, random numbers between the lowest and the highest, until one is an element's. A
  ///    number in a gap is drawn again, not rounded to the next row, so each row is as likely as
  ///    any other, wherever the gaps are. A dense table needs one or two draws.
  /// 3. If a thousand draws find nothing, as with 118 rows up to number 1 and one at a billion, the
  ///    row at a random position in an index. That is as fair, but has to read the index.
  ///
  /// Each step skips elements that were asked lately. In a very small table, it skips at most half
  /// of them.
  func draw<Generator: RandomNumberGenerator>(using generator: inout Generator) throws -> String? {
    let lately = try column(Self.lately)
    let missed = try column(Self.missed).filter { !lately.contains($0) }
    if !missed.isEmpty, Bool.random(using: &generator) {
      return missed.randomElement(using: &generator)
    }
    guard let ends = try database.rows(Self.ends).first?.compactMap({ Int64($0) }), ends.count == 2
    else { return nil }
    for _ in 0..<Self.tries {
      let number = String(Int64.random(in: ends[0]...ends[1], using: &generator))
      guard !lately.contains(number) else { continue }
      if try !database.rows(Self.element, number).isEmpty { return number }
    }
    return try drawFromIndex(passingOver: lately, using: &generator)
  }

  private func drawFromIndex<Generator: RandomNumberGenerator>(
    passingOver lately: [String], using generator: inout Generator
  ) throws -> String? {
    let count = Int(try column(Self.count).first ?? "") ?? 0
    guard count > 0 else { return nil }
    let passedOver = lately.prefix(count / 2)
    for _ in 0..<Self.tries {
      let place = Int.random(in: 0..<count, using: &generator)
      let number = try column(Self.place, String(place)).first
      if let number, !passedOver.contains(number) { return number }
    }
    return nil
  }

  /// - Parameter line: the user's answer. An empty one is recorded as no answer.
  /// - Returns: whether it was right.
  func record(_ line: String, to question: Question) throws -> Bool {
    let answer = line.trimmingCharacters(in: .whitespaces)
    let isRight = answer.lowercased() == question.answer.lowercased()
    try database.rows(
      "INSERT INTO studies (element, asked, answer, correct) VALUES (?, ?, nullif(?, ''), ?)",
      question.element, question.asked, answer, isRight ? "1" : "0")
    return isRight
  }

  private func column(_ sql: String, _ values: String...) throws -> [String] {
    try database.rows(sql, values).map { $0[0] }
  }
}
