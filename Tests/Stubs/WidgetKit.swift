public import Foundation
public import SwiftUI

public protocol TimelineEntry {
  var date: Date { get }
}

public struct TimelineReloadPolicy: Equatable, Sendable {
  public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy() }
}

public struct Timeline<EntryType: TimelineEntry> {
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}

public struct TimelineProviderContext {}

/// The SDK does not say on which thread it calls.
public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext
  func placeholder(in context: Context) -> Entry
  @preconcurrency func getSnapshot(
    in context: Context, completion: @escaping @Sendable (Entry) -> Void)
  @preconcurrency func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

public struct StaticConfiguration<Content: View>: WidgetConfiguration {
  nonisolated public init<Provider: TimelineProvider>(
    kind: String, provider: Provider,
    @ViewBuilder content: @escaping (Provider.Entry) -> Content
  ) {}
}

public enum WidgetFamily: Sendable { case systemSmall, systemMedium }

extension WidgetConfiguration {
  nonisolated public func supportedFamilies(
    _ families: [WidgetFamily]
  ) -> some WidgetConfiguration { self }

  nonisolated public func configurationDisplayName(
    _ displayName: LocalizedStringKey
  ) -> some WidgetConfiguration { self }
}

public class WidgetCenter {
  nonisolated(unsafe) public static let shared = WidgetCenter()
  public func reloadAllTimelines() {}
}
