#if canImport(Darwin)
  import Darwin
#else
  import Foundation
  import Glibc
#endif

/// The copies of SQLite that this process has loaded, as far as they show their functions.
enum SQLiteCopies {
  private typealias Text = @convention(c) () -> UnsafePointer<CChar>?

  /// What each copy says of its source, and in which file it is.
  static func loaded() -> [String] {
    var known: Set<UnsafeMutableRawPointer> = []
    return images().compactMap { image in
      guard let library = dlopen(image, RTLD_LAZY | RTLD_NOLOAD) else { return nil }
      defer { dlclose(library) }
      guard let symbol = dlsym(library, "sqlite3_sourceid"), known.insert(symbol).inserted
      else { return nil }
      let text = unsafeBitCast(symbol, to: Text.self)().map { String(cString: $0) } ?? "?"
      return "\(text) in \(file(of: symbol))"
    }
  }

  #if canImport(Darwin)
    private static func file(of symbol: UnsafeMutableRawPointer) -> String {
      var facts = Dl_info()
      guard dladdr(symbol, &facts) != 0, let name = facts.dli_fname else { return "?" }
      return String(cString: name)
    }

    /// nil is the program itself.
    private static func images() -> [String?] {
      [nil] + (0..<_dyld_image_count()).map { _dyld_get_image_name($0).map { String(cString: $0) } }
    }
  #else
    private static func file(of symbol: UnsafeMutableRawPointer) -> String {
      mapped().first { $0.range.contains(UInt(bitPattern: symbol)) }?.file ?? "?"
    }

    private static func images() -> [String?] { [nil] + Set(mapped().map(\.file)).sorted() }

    /// > address           perms offset  dev   inode       pathname (man 5 proc)
    private static func mapped() -> [(range: Range<UInt>, file: String)] {
      let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
      return maps.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard words.count == 6, ends.count == 2 else { return nil }
        return (ends[0]..<ends[1], words[5].trimmingCharacters(in: .whitespaces))
      }
    }
  #endif
}
