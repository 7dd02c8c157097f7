/// Something that `verify` found wrong.
public struct Finding: Sendable, Equatable {
  /// `corrupt` where the database itself is damaged, else what kind of disagreement it is.
  public var code: SeedbedError.Code
  /// What was found, and what to do.
  public var message: String
  /// The file, where it is about one.
  public var place: SeedbedError.Place?
  /// The migration, where it is about one.
  public var version: Version?
}
