import Foundation
import Seedbed
import SwiftUI
import WidgetKit
import os

@main
struct ElementWidget: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "Element", provider: ElementProvider()) { entry in
      VStack {
        Text(entry.title)
        Text(entry.note)
      }
      .containerBackground(.background, for: .widget)
    }
    .configurationDisplayName("Element of the day")
    .supportedFamilies([.systemSmall])
  }
}

nonisolated struct ElementEntry: TimelineEntry {
  var date = Date()
  var title = "Field guide"
  var note = "Open the app."
}

/// The system calls it on threads of its own.
nonisolated struct ElementProvider: TimelineProvider {
  func placeholder(in context: Context) -> ElementEntry { ElementEntry() }

  func getSnapshot(in context: Context, completion: @escaping @Sendable (ElementEntry) -> Void) {
    read(then: completion)
  }

  func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<ElementEntry>) -> Void
  ) {
    read { entry in
      let tomorrow = entry.date.addingTimeInterval(24 * 60 * 60)
      completion(Timeline(entries: [entry], policy: .after(tomorrow)))
    }
  }

  /// Reads while the system does not suspend the widget: it would end it for a lock in the group.
  private func read(then answer: @escaping @Sendable (ElementEntry) -> Void) {
    let isAnswered = OSAllocatedUnfairLock(initialState: false)
    ProcessInfo.processInfo.performExpiringActivity(withReason: "Read") { isOver in
      // `true` comes alone, or a second time while the first call still reads.
      let entry = isOver ? ElementEntry() : self.entry()
      let isFirst = isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
      if isFirst { answer(entry) }
    }
  }

  /// It reads only. `up` is the app's: a widget has too little memory and time.
  private func entry() -> ElementEntry {
    var entry = ElementEntry()
    guard let guide = try? Guide.shared(), let elements = try? guide.elements(), !elements.isEmpty
    else { return entry }
    let day = Int(entry.date.timeIntervalSince1970 / (24 * 60 * 60))
    let element = elements[day % elements.count]
    (entry.title, entry.note) = (element.symbol, element.title)
    if case .pending = try? guide.migrator.outlook() { entry.note += ". Open the app for news." }
    return entry
  }
}
