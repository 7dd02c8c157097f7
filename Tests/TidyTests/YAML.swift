import Foundation
import Testing

/// Files in YAML, as Debian's Python reads them.
enum YAML {
  static func read<Value: Decodable>(_ type: Value.Type, from path: String) throws -> Value {
    let code = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    let printed = try Shell.run("/usr/bin/python3", "-c", code, path)
    try #require(printed.status == 0, "\(path): \(printed.output)")
    return try JSONDecoder().decode(type, from: Data(printed.output.utf8))
  }
}
