import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// `Scripts/setup` and `Scripts/install`, with a build that is done already, and an apt-get that
/// only notes what it gets.
struct SetupScriptTests {
  private static let tools = [
    "basename", "chmod", "cmp", "dirname", "env", "install", "ln", "mkdir", "mv", "readlink", "rm",
    "sed", "sh", "strip", "uname",
  ]

  private static func checkout() throws -> Sandbox {
    let sandbox = try Sandbox()
    try sandbox.write(programs: [
      "Scripts/setup": try Checkout.text("Scripts/setup"),
      "Scripts/install": try Checkout.text("Scripts/install"),
      // What is built already.
      "Scripts/build": "#!/bin/sh\necho \"${0%/Scripts/build}/.build/release/$2\"\n",
      "bin/swift": "#!/bin/sh\n", "bin/id": "#!/bin/sh\necho 0\n",
      "bin/pkg-config": "#!/bin/sh\nexit 0\n",
      "bin/apt-get": "#!/bin/sh\necho \"$@\" >>'\(sandbox.path)/apt'\n",
    ])
    try sandbox.write([
      "program.c": """
      #include <stdio.h>
      #include <string.h>
      int main(int count, char **words) {
        for (int i = 1; i < count; i++) puts(words[i]);
        if (count == 3 && strcmp(words[2], "--man") == 0) puts(".SS seedbed up [options]");
        return count > 1 ? 0 : 7;
      }
      """
    ])
    for tool in tools {
      let found = try Child.run(["/bin/sh", "-c", "command -v \(tool)"]).output
      let path = found.trimmingCharacters(in: .whitespacesAndNewlines)
      if path.hasPrefix("/") { symlink(path, "\(sandbox.path)/bin/\(tool)") }
    }
    try sandbox.write([".build/release/here": ""])
    let built = try Child.run([
      "clang", "-g", "\(sandbox.path)/program.c", "-o", "\(sandbox.path)/.build/release/migrate",
    ])
    #expect(built.code == 0, "\(built)")
    return sandbox
  }

  private static func setup(_ sandbox: Sandbox, _ words: String...) throws -> String {
    try run("setup", sandbox, words)
  }

  private static func install(_ sandbox: Sandbox, _ words: String...) throws -> String {
    try run("install", sandbox, words)
  }

  private static func run(_ script: String, _ sandbox: Sandbox, _ words: [String]) throws -> String
  {
    let result = try Child.run(
      ["/usr/bin/env", "PATH=\(sandbox.path)/bin", "\(sandbox.path)/Scripts/\(script)"] + words)
    #expect(result.code == 0, "\(result)")
    return result.output
  }

  private static func size(_ path: String) -> Int {
    (try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? 0
  }

  @Test func `one stripped file with two names is installed, and nothing that only tests need`()
    throws
  {
    let sandbox = try Self.checkout()
    let bin = sandbox.path + "/prefix/bin"
    let output = try Self.install(sandbox, sandbox.path + "/prefix")
    let last =
      "Man pages and completions for bash, zsh and fish are in \(sandbox.path)/prefix/share.\n"
    // The program that was built has run.
    let first = "--version\nInstalled \(bin)/seedbed, and \(bin)/migrate, a link to it.\n"
    #expect(output == first + last)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: bin + "/migrate") == "seedbed")
    #expect(try Child.run([bin + "/migrate"]).code == 7)
    #expect(Self.size(bin + "/seedbed") < Self.size(sandbox.path + "/.build/release/migrate"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bin).sorted() == ["migrate", "seedbed"])
    #expect(!sandbox.exists("apt"))
    // Once more, over what is there.
    #expect(try Self.install(sandbox, sandbox.path + "/prefix") == output)
  }

  @Test func `the program for servers is installed only if it is asked for`() throws {
    let sandbox = try Self.checkout()
    let folder = "\(sandbox.path)/.build/release"
    let built = try Child.run(
      [
        "/bin/sh", "-c", #"cp -- "$0/migrate" "$0/$1""#, folder,
        "migrate-postgresql",
      ])
    #expect(built.code == 0, "\(built)")
    let output = try Self.install(sandbox, sandbox.path + "/prefix", "--with", "libpq")
    #expect(output.contains("/prefix/bin/migrate-postgresql, which they run for databases on"))
    let program = "\(sandbox.path)/prefix/bin/migrate-postgresql"
    #expect(try Child.run([program]).code == 7)
    #expect(Self.size(program) < Self.size(folder + "/migrate-postgresql"))
  }

  @Test func `for another processor it installs what the cross compiler built, as it is`() throws {
    let sandbox = try Self.checkout()
    let program = "#!/bin/sh\necho \"$0 $*\"\necho '.SS seedbed up [options]'\n"
    try sandbox.write(programs: [
      "Scripts/cross": "#!/bin/sh\necho \"${0%/Scripts/cross}/crossed/$1\"\n",
      "crossed/migrate": program, "crossed/migrate-postgresql": program,
      // What runs a program of another processor: here, one that this one runs as well.
      "bin/qemu-aarch64-static": "#!/bin/sh\nexec \"$@\"\n",
      "bin/mmdebstrap": "#!/bin/sh\n",
    ])
    _ = try Self.install(sandbox, sandbox.path + "/prefix", "--with", "libpq", "--for", "aarch64")
    for name in ["seedbed", "migrate-postgresql"] {
      #expect(try sandbox.text("prefix/bin/" + name) == program)
    }
    let page = try sandbox.text("prefix/share/man/man1/migrate.1")
    #expect(page.hasPrefix("\(sandbox.path)/prefix/bin/migrate help --man\n"))
    #expect(sandbox.exists("prefix/share/man/man1/seedbed-up.1"))
    let unknown = try Child.run([
      "\(sandbox.path)/Scripts/install", sandbox.path + "/prefix", "--for", "sparc",
    ])
    let words =
      "install: '--for sparc' is not understood. After the folder, there are: --with libpq, "
      + "--for aarch64\n"
    #expect(unknown.code == 64 && unknown.output == words)
  }

  @Test func `a program of another maker that has the name stays`() throws {
    let sandbox = try Self.checkout()
    try sandbox.write(["prefix/bin/migrate": "another\n"])
    let output = try Self.install(sandbox, sandbox.path + "/prefix")
    #expect(output.contains("is another program and was kept. Use 'seedbed' instead."))
    #expect(output.contains("\nInstalled \(sandbox.path)/prefix/bin/seedbed.\n"))
    #expect(try sandbox.text("prefix/bin/migrate") == "another\n")
    #expect(try Child.run([sandbox.path + "/prefix/bin/seedbed"]).code == 7)
  }

  static let pages = [
    "man/man1/NAME.1": "help\n--man\n.SS seedbed up [options]\n",
    "bash-completion/completions/NAME": "help\n--completions\nbash\n",
    "zsh/site-functions/_NAME": "help\n--completions\nzsh\n",
    "fish/vendor_completions.d/NAME.fish": "help\n--completions\nfish\n",
  ]

  @Test(arguments: [false, true])
  func `man page and completions are installed for each of our names`(isForeign: Bool) throws {
    let sandbox = try Self.checkout()
    if isForeign { try sandbox.write(["prefix/bin/migrate": "another\n"]) }
    _ = try Self.install(sandbox, sandbox.path + "/prefix")
    for (page, text) in Self.pages {
      let path = "prefix/share/" + page
      #expect(try sandbox.text(path.replacing("NAME", with: "seedbed")) == text)
      #expect(sandbox.exists(path.replacing("NAME", with: "migrate")) != isForeign)
    }
    for verb in ["up", "options"] {
      let page = "prefix/share/man/man1/seedbed-\(verb).1"
      #expect(try sandbox.text(page) == "help\n\(verb)\n--man\n")
    }
  }

  @Test func `who tests gets what the tests need`() throws {
    let sandbox = try Self.checkout()
    _ = try Self.setup(sandbox, "--build")
    #expect(!sandbox.exists("apt"))
    _ = try Self.setup(sandbox)
    let packages = try sandbox.text("apt")
    #expect(packages.contains("sqlite3") && packages.contains("python3"))
    #expect(!packages.contains("chromium"))
  }

  @Test func `a browser comes only if it is asked for`() throws {
    let sandbox = try Self.checkout()
    _ = try Self.setup(sandbox, "--with", "browser")
    let packages = try sandbox.text("apt")
    #expect(packages.contains("sqlite3") && packages.contains(" chromium"))
    #expect(packages.contains("--no-install-recommends"))
    let unknown = try Child.run(["\(sandbox.path)/Scripts/setup", "--with", "sauce"])
    let words =
      "setup: --with takes only: --with browser, --with postgresql, --with patroni, --with hosts, "
      + "--with deploys, --with release, --with compiler, --with cross, --with story, --with node, "
      + "--with packages, --with proofs, --with libpq\n"
    #expect(unknown.code == 1 && unknown.output == words)
  }

  @Test func `a server comes only if it is asked for, beside a browser or alone`() throws {
    let sandbox = try Self.checkout()
    _ = try Self.setup(sandbox, "--with", "browser", "--with", "postgresql")
    let packages = try sandbox.text("apt")
    #expect(packages.contains(" chromium"))
    let hasServer = FileManager.default.fileExists(atPath: "/usr/lib/postgresql")
    #expect(packages.contains(" postgresql") != hasServer)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/include/postgresql")))
  func `who builds the engine for servers needs nothing of the tests`() throws {
    let sandbox = try Self.checkout()
    _ = try Self.setup(sandbox, "--with", "libpq")
    #expect(!sandbox.exists("apt"))
  }
}
