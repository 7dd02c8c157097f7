import Foundation
import SeedbedCells
import TestSupport

@testable import Seedbed

/// A reader of a row file that is in memory.
func rows(_ csv: String, _ decoders: [FieldDecoder], limits: RowReader.Limits = .init()) throws
  -> RowReader
{
  let file = MemoryFile(Array(csv.utf8), "words.csv")
  let reader = try RowReader(
    file, place: "0001_words/words.csv", isCompressed: false, locked: nil, limits: limits)
  reader.decoders = decoders
  return reader
}
