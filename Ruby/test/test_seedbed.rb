# frozen_string_literal: true

require "fileutils"
require "minitest/autorun"
require "seedbed"
require "tmpdir"

# One story on each engine, and what a caller may do wrong. Scripts/checks/test-gem names the sample
# catalog, and a server's variables.
module Story
  CATALOG = ENV.fetch("SEEDBED_CATALOG")

  def setup
    @home, @folder = Dir.pwd, Dir.mktmpdir("a folder ")
    Dir.chdir(@folder)
  end

  def teardown
    Dir.chdir(@home)
    FileUtils.rm_r(@folder)
  end

  def call(verb, *operands, **options, &progress)
    Seedbed.public_send(verb, database, *operands, catalog: CATALOG, **options, &progress)
  end

  def name_of(number) = sql("SELECT name FROM elements WHERE number = #{number}")

  def test_the_story
    seen = []
    assert_equal "applied", call(:up, to: 2) { |progress| seen << progress }["outcome"]
    assert_equal [1.0, %w[fraction phase table rows]], [seen.last["fraction"], seen.last.keys]
    sql("UPDATE elements SET name = 'Bobium, the \"1st\"' WHERE number = 113")
    assert_equal ["planned", 2], call(:plan, no_backup: true).values_at("outcome", "from")
    assert_equal 4, call(:up, no_backup: true)["to"]
    assert_equal 4, call(:status)["current"]
    assert_empty call(:verify)["findings"]
    conflict = call(:conflicts, open: true)["conflicts"].first
    assert_equal [{"number" => 113}, "edited"], conflict.values_at("key", "kind")
    assert_equal "editedSeed", call(:origin, "elements", [113])["origin"]
    assert_equal [conflict["id"]], call(:resolve, conflict["id"], :seed)["settled"]
    assert_equal "Nihonium", name_of(113)
    assert_equal [conflict["id"]], call(:resolve, [conflict["id"]], :mine)["settled"]
    assert_equal "Bobium, the \"1st\"", name_of(113)
    assert_equal 1, call(:pin, "elements", {number: 113})["pinned"].size
    assert_empty call(:unpin, "elements", 113)["pinned"]
    sql("DELETE FROM elements WHERE number = 7")
    row = call(:absent, "elements")["absent"].first
    assert_equal [{"number" => 7}, "deletedByUser"], row.values_at("key", "reason")
    back = call(:reseed, "elements", row["key"], no_backup: true)
    assert_equal ["elements"], back["touchedTables"]
    assert_equal "upToDate", call(:reseed, missing: true, no_backup: true)["outcome"]
    assert_empty call(:absent)["absent"]
    assert_equal "usage", assert_raises(Seedbed::Error) { call(:reseed, "elements") }.code
    assert_equal 2, call(:down, 2, no_backup: true)["to"]
    assert_equal "upToDate", call(:up, to: 2)["outcome"]
  end

  # The app's own tables; each organization has the labels of the folder.
  def with_owners
    tables = "CREATE TABLE organizations (id bigint PRIMARY KEY NOT NULL); CREATE TABLE labels " \
             "(organization_id bigint NOT NULL REFERENCES organizations, name text NOT NULL, " \
             "PRIMARY KEY (organization_id, name));"
    FileUtils.mkdir_p("owners/0001_labels")
    File.write("owners/catalog.json", '{"engines": ["sqlite", "postgresql"], "tables": {' \
      '"labels": {"per": {"table": "organizations", "key": "id", "column": "organization_id"}}}}')
    ["", ".postgresql"].each { |name| File.write("owners/0001_labels/schema#{name}.sql", tables) }
    File.write("owners/0001_labels/labels.csv", "name\nbug\nidea\n")
    sql(tables)
    Seedbed.up(database, catalog: "owners")
  end

  def test_a_new_owner
    with_owners
    error = assert_raises(Seedbed::Error) { Seedbed.fill(database, 7, catalog: "owners") }
    assert_equal ["usage", 64], [error.code, error.exit_code]
    assert_match(/'organizations' has no row with/, error.message)
    sql("INSERT INTO organizations VALUES (7), (-8)")
    [7, "-8"].each do |owner|
      assert_equal "applied", Seedbed.fill(database, owner, catalog: "owners")["outcome"]
      assert_equal "2", sql("SELECT count(*) FROM labels WHERE organization_id = #{owner}")
    end
    assert_equal "upToDate", Seedbed.fill(database, 7, catalog: "owners")["outcome"]
  end

  def test_a_block_that_ends_a_call
    assert_raises(RuntimeError) { call(:up) { raise "enough" } }
    assert_equal :left, (call(:up) { break :left })
    assert_equal "applied", call(:up)["outcome"]
  end

  def test_an_unknown_option
    error = assert_raises(Seedbed::Error) { call(:up, tow: 2) }
    assert_equal ["usage", 64, true, []],
                 [error.code, error.exit_code, error.database_unchanged?, error.applied]
    assert_match(/\AUnknown option '--tow'. Did you mean '--to'\?\z/, error.message)
    error = assert_raises(Seedbed::Error) { call(:status, database: "other") }
    assert_match(/'database' is the first/, error.message)
  end
end

class ReadmeTest < Minitest::Test
  PAGE = File.read(File.expand_path("../README.md", __dir__), encoding: "UTF-8")

  # Its commands and its Ruby, in their order.
  def test_the_page
    Dir.mktmpdir { |folder| Dir.chdir(folder) { play(TOPLEVEL_BINDING.dup) } }
  end

  def play(binding)
    PAGE.scan(/^```(sh|ruby)\n(.*?)^```/m).each do |language, text|
      if language == "sh"
        assert system("sh", "-euc", text, out: File::NULL, err: File::NULL), text
        next
      end
      text.scan(/(.+?)(?: # => ([^\n]*)\n|\z)/m).each do |code, wanted|
        found = binding.eval(code)
        assert_equal binding.eval(wanted), found, code if wanted
      end
    end
  end
end

class SQLiteTest < Minitest::Test
  include Story

  def database = "-ein Pfad, ä.sqlite"

  def sql(statement) = IO.popen(["sqlite3", "./#{database}", statement], &:read).chomp

  def test_an_error_in_a_file
    FileUtils.cp_r(CATALOG, "-bad")
    FileUtils.rm(["-bad/seedbed.lock", *Dir["-bad/0002_notes/*postgresql*"]])
    File.write("-bad/0002_notes/up.sql", "CREATE TABLE notes (id);\nCREATE TABEL x;\n")
    error = assert_raises(Seedbed::Error) { Seedbed.up(database, catalog: "-bad") }
    assert_equal ["sql", 2, 2, [1]], [error.code, error.line, error.version, error.applied]
    assert_match(%r{0002_notes/up.sql}, error.file)
    assert_match(/\A#{Regexp.escape(error.file)}:2/, error.message)
  end

  def test_no_catalog_by_its_default_name
    error = assert_raises(Seedbed::Error) { Seedbed.up(database) }
    assert_equal ["catalog", []], [error.code, Dir.children(".")]
  end

  def test_no_program
    ENV["SEEDBED_PROGRAM"] = "./nowhere"
    error = assert_raises(Seedbed::Error) { call(:up) }
    assert_match(/'.\/nowhere' cannot be run .* SEEDBED_PROGRAM/, error.message)
    ENV["SEEDBED_PROGRAM"] = "/bin/true"
    assert_match(/gave no answer/, assert_raises(Seedbed::Error) { call(:up) }.message)
    ENV["SEEDBED_PROGRAM"] = nil
    assert_equal Seedbed::CARRIED, Seedbed.program
    error = assert_raises(Seedbed::Error) { call(:up, backups: "\0") }
    assert_match(/null byte/, error.message)
  end

  def test_variables_of_the_command
    ENV["MIGRATE_DATABASE"] = ENV["DATABASE_URL"] = "other.sqlite"
    call(:up)
    assert_empty Dir["other*"]
  ensure
    ENV["MIGRATE_DATABASE"] = ENV["DATABASE_URL"] = nil
  end
end

class PostgreSQLTest < Minitest::Test
  include Story

  def setup
    super
    @name = "ruby_#{name.gsub(/\W/, "_").downcase[0, 50]}"
    system("createdb", @name, exception: true)
  end

  def database = "postgresql:///#{@name}"

  def sql(statement) = IO.popen(["psql", "-XqAt", "-d", @name, "-c", statement], &:read).chomp
end
