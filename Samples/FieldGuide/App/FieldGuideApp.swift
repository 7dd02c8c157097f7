import Foundation
import Seedbed
import SwiftUI
import UIKit
import WidgetKit
import os

@main
struct FieldGuideApp: App {
  private let guide = Result {
    let guide = try Guide.shared()
    try guide.prepare()
    return guide
  }

  var body: some Scene {
    WindowGroup {
      switch guide {
      case .success(let guide): Root(guide: guide)
      case .failure(let error): Text(error.localizedDescription)
      }
    }
  }
}

/// The release that the app ships comes behind the splash screen; a download, while the list is
/// shown.
struct Root: View {
  let guide: Guide
  @State private var start = StartUp()
  @State private var news: Task<Void, Never>?
  /// How often the list has to be read again.
  @State private var changes = 0
  @Environment(\.scenePhase) private var phase

  var body: some View {
    Splash(migrator: guide.migrator, start: start) {
      ElementList(guide: guide, changes: changes)
        .task { takeNews() }
    }
    .onChange(of: phase) {
      guard phase == .background else { return }
      for run in [start.run, news].compactMap({ $0 }) { Task { await giveTime(to: run) } }
    }
  }

  private func takeNews() {
    WidgetCenter.shared.reloadAllTimelines()
    // A user who chose *Later* gets it at the next start.
    guard news == nil, case .ready = start.state else { return }
    news = Task {
      let folder = guide.database.deletingLastPathComponent().appending(path: "Downloads")
      let downloads = Downloads(folder: folder)
      var report: Migrator.Report?
      do {
        report = try await downloads.up(
          guide.database, from: guide.migrations, options: guide.migrator.options
        ) { _ in }
        if report?.touchedTables.contains("elements") == true { changes += 1 }
        // The next start applies it.
        _ = try await downloads.fetch(after: report)
      } catch {
        // The guide goes on with the rows that it has. An error may quote them: only its kind is
        // public.
        let kind = (error as? SeedbedError).map { "\($0.code)" } ?? "network"
        Logger().error("No news: \(kind, privacy: .public)")
      }
    }
  }
}

/// iOS ends an app that it suspends while it holds a lock on a file of its group.
@MainActor
func giveTime(to run: Task<Void, Never>) async {
  let time = UIApplication.shared.beginBackgroundTask(withName: "Data") { run.cancel() }
  if time == .invalid { run.cancel() }
  await run.value
  UIApplication.shared.endBackgroundTask(time)
}

struct ElementList: View {
  let guide: Guide
  let changes: Int
  @State private var elements: [Guide.Element] = []
  @State private var trouble = ""

  var body: some View {
    NavigationStack {
      VStack {
        Text(trouble)
        List(elements) { element in
          NavigationLink(element.title) {
            Editor(guide: guide, element: element, name: element.name) { await read() }
          }
        }
      }
      .navigationTitle("Elements")
      .task(id: changes) { await read() }
    }
  }

  private func read() async {
    let guide = guide
    do {
      // It may wait for a lock, so not on the main actor.
      elements = try await Task.detached { try guide.elements() }.value
      trouble = ""
    } catch {
      trouble = error.localizedDescription
    }
  }
}

struct Editor: View {
  let guide: Guide
  let element: Guide.Element
  @State var name: String
  let onSave: () async -> Void
  @State private var trouble = ""
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    Form {
      TextField("Name", text: $name)
      Button("Save") { Task { await save() } }
      Text(trouble)
    }
    .navigationTitle(element.symbol)
  }

  private func save() async {
    let (guide, element, name) = (guide, element, name)
    do {
      try await Task.detached { try guide.rename(element, to: name) }.value
      WidgetCenter.shared.reloadAllTimelines()
      await onSave()
      dismiss()
    } catch {
      trouble = error.localizedDescription
    }
  }
}
