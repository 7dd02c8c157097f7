/// Something that `verify` found wrong.
public struct Finding: Sendable, Equatable {
  /// `corrupt` where the database itself is damaged, else what kind of disagreement it is.
  public var code: SeedbedError.Code
  public var message: String
  public var place: SeedbedError.Place?
  public var version: Version?
}
