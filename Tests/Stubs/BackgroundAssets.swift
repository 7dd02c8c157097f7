public import Foundation
public import System

public struct AssetPack: Sendable {}

public actor AssetPackManager {
  public static let shared = AssetPackManager()
  public func assetPack(withID assetPackID: String) async throws -> AssetPack { AssetPack() }
  public func ensureLocalAvailability(of assetPack: AssetPack) async throws {}
  nonisolated public func url(for path: FilePath) throws -> URL { URL(fileURLWithPath: "") }
}
