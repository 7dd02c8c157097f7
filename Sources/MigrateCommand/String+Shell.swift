extension String {
  /// One word that a POSIX shell passes on unchanged.
  var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "_-./:,@%+".utf8.contains(byte) || byte > 0x7F
    }
    if isPlain, !isEmpty { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}

extension [String] {
  /// The operands of a command, to paste into a shell.
  var shellOperands: String {
    let isOptionLike = contains { $0.utf8.first == UInt8(ascii: "-") }
    return ((isOptionLike ? ["--"] : []) + map(\.shellWord)).joined(separator: " ")
  }
}
