#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Decides when two reals count as the same value.
enum RealComparison {
  /// True if they agree in 15 significant digits. A value that another program read and wrote as a
  /// text of 15 digits is not an edit.
  static func isSame(_ first: Double, _ second: Double) -> Bool {
    if first == second { return true }
    guard first.isFinite, second.isFinite, first.sign == second.sign,
      abs(first - second) <= max(abs(first), abs(second)) * 1e-14
    else { return false }
    return digits(first) == digits(second)
  }

  /// The first 15 significant digits, rounded, and the power of ten.
  private static func digits(_ value: Double) -> [CChar] {
    var text = [CChar](repeating: 0, count: 32)
    _ = withVaList([value]) { vsnprintf(&text, text.count, "%.14e", $0) }
    return text
  }
}
