import CSeedbedPostgres
import Seedbed

/// Values in libpq's form: text whose type the server infers, and bytes as they are.
struct PostgresParameters {
  private var bytes: [UInt8] = []
  /// The offset at which each value begins; nil for NULL.
  private var starts: [Int?] = []
  private var lengths: [Int32] = []
  private var types: [Oid] = []

  init(_ values: [Value]) throws {
    for value in values {
      types.append(Self.type(of: value))
      starts.append(value.isNull ? nil : bytes.count)
      let before = bytes.count
      switch value {
      case .null: break
      case .integer(let number): bytes += String(number).utf8
      case .real(let number): bytes += number.description.utf8
      case .text(let text): bytes += text.utf8
      case .invalidText(let text): bytes += text
      case .blob(let blob): bytes += blob
      }
      lengths.append(Int32(truncatingIfNeeded: bytes.count - before))
      // libpq reads text up to a NUL, and would silently cut off the rest.
      if types.last == 0, bytes[before...].contains(0) { throw PostgresFailure.nulInText }
      bytes.append(0)
    }
  }

  /// 0 lets the server infer the type.
  static func type(of value: Value) -> Oid {
    if case .blob = value { PostgresType.bytea } else { 0 }
  }

  /// The arguments of PQsendQueryParams: count, types, texts, lengths and formats (1 is binary).
  func withPointers(
    _ body: (
      Int32, UnsafePointer<Oid>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
      UnsafePointer<Int32>?
    ) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBufferPointer { bytes in
      let base = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let texts = starts.map { start in start.flatMap { start in base.map { $0 + start } } }
      let formats: [Int32] = types.map { $0 == PostgresType.bytea ? 1 : 0 }
      return body(Int32(types.count), types, texts, lengths, formats)
    }
  }
}
