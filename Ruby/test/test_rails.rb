# frozen_string_literal: true

require "fileutils"
require "minitest/autorun"
require "open3"
require "tmpdir"

# An application of Rails with its migrations, tasks and a page of conflicts, on each engine.
class RailsTest < Minitest::Test
  PROJECT = File.expand_path("../../Tests/Deploy/rails", __dir__)
  CATALOG = '{"engines": ["sqlite", "postgresql"], "tables": {"templates": {"source": "t.csv",
    "key": ["name"], "ignore": ["created_at", "updated_at"]}}}'
  TABLE = <<~SQL
    CREATE TABLE templates (
      id INTEGER PRIMARY KEY, name varchar NOT NULL UNIQUE, subject varchar NOT NULL,
      body text NOT NULL, created_at timestamp DEFAULT CURRENT_TIMESTAMP,
      updated_at timestamp DEFAULT CURRENT_TIMESTAMP);
  SQL
  ROWS = ["name,subject,body", "a,Hello,Text", "b,Bye,Text", "c,Gone,Text"].freeze
  SETTINGS = "config/initializers/seedbed.rb"

  def setup
    @home, @folder = Dir.pwd, Dir.mktmpdir
    FileUtils.cp_r("#{PROJECT}/.", @folder)
    Dir.chdir(@folder)
    FileUtils.rm(Dir["db/migrate/*footer*"])
    edit("config/application.rb", /^require "seedbed"/, "require 'action_controller/railtie'\n\\0")
    FileUtils.mkdir_p(["app/controllers", "app/views"])
    File.write("config/routes.rb", "Rails.application.routes.draw do\nend\n")
    File.write("app/controllers/application_controller.rb",
               "class ApplicationController < ActionController::Base\nend\n")
    said = rails("generate", "seedbed:install", "--conflicts")
    assert_match(/no one may yet/, said)
  end

  def teardown
    Dir.chdir(@home)
    FileUtils.rm_r(@folder)
  end

  def test_sqlite
    ENV["DATABASE_URL"] = nil
    play(->(statement) { sh("sqlite3", "db/desk.sqlite3", statement) })
    setting = "  config.active_record.schema_format = :sql\n\\0"
    edit("config/application.rb", /^  config.eager/, setting)
    rails("db:schema:dump")
    keep_out_of_a_dump("db/structure.sql")
  end

  def test_postgresql
    sh("createdb", "rails")
    sh("psql", "-qd", "rails", "-c", "CREATE SCHEMA \"a desk\"")
    # The path is what the adapter is told, and the program must be told the same.
    host, port, user = %w[PGHOST PGPORT PGUSER].map { |name| ENV.fetch(name) }
    File.write("config/database.yml", <<~YAML)
      development: {adapter: postgresql, database: rails, host: #{host}, port: #{port},
        username: #{user}, schema_search_path: '"a desk"'}
    YAML
    edit(SETTINGS, "# seedbed.up", "seedbed.up")
    words = ["-XqAtd", "rails", "-c", "SET search_path = \"a desk\""]
    play(->(statement) { sh("psql", *words, "-c", statement) })
    said = sh("psql", *words, "-c", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    assert_equal "0", said
  end

  private

  def play(sql)
    first_rows
    assert_match(/release 1 \(applied\), conflicts: 0/, rails("db:migrate"))
    assert_match(/release 1 \(upToDate\)/, rails("db:prepare"))
    keep_out_of_a_dump("db/schema.rb")
    take_options
    make_the_table_again(sql)
    settle(sql)
    add_owners(sql)
  end

  def first_rows
    assert_match(/no catalog folder at/, rails("db:migrate", code: 2))
    FileUtils.mkdir("Migrations")
    File.write("Migrations/catalog.json", CATALOG)
    File.write("schema.sql", TABLE)
    File.write("schema.postgresql.sql", TABLE.sub("INTEGER", "bigserial"))
    release("first", "--schema", "schema.sql", "--schema", "schema.postgresql.sql", rows: ROWS)
  end

  def release(name, *words, rows:)
    File.write("Migrations/t.csv", rows.join("\n"))
    sh("seedbed", "make", name, *words)
  end

  def keep_out_of_a_dump(file)
    assert_match(/templates/, File.read(file))
    refute_match(/seedbed/, File.read(file))
  end

  def take_options
    assert_match(/Did you mean '--to'/, rails("seedbed:up", code: 64, SEEDBED_OPTIONS: "--tow 1"))
    assert_match(/release 1/, rails("seedbed:up", SEEDBED_OPTIONS: "--to 1 --lock-timeout=1"))
    assert_match(/1 applied/, rails("seedbed:run[status]"))
    assert_match(/Unknown verb/, rails("seedbed:run[stats]", code: 64))
  end

  def make_the_table_again(sql)
    refute_match(/Rows are/, rails("db:rollback"))
    refute_match(/Rows are/, rails("db:migrate", VERSION: "20260101000000"))
    rails("db:rollback")
    assert_match(/'templates' is empty, and 3 rows had come.*reseed templates/, rails("db:migrate"))
    rails("seedbed:run[reseed templates --no-backup]")
    assert_equal "3", sql.call("SELECT count(*) FROM templates")
    refute_match(/is empty/, rails("db:migrate"))
  end

  def settle(sql)
    sql.call("UPDATE templates SET subject = '<b>Moin</b>' WHERE name IN ('a', 'b')")
    sql.call("DELETE FROM templates WHERE name = 'c'")
    rows = ["name,subject,body", "a,Hi,Text", "b,Good bye,Text", "c,Back,Text"]
    release("second", rows: rows)
    assert_match(/release 2 \(applied\), conflicts: 3/, rails("db:migrate"))
    FileUtils.cp("#{__dir__}/visit.rb", ".")
    sh("ruby", "visit.rb")
    subjects = sql.call("SELECT name, subject FROM templates ORDER BY name")
    assert_equal ["a|Hi", "b|<b>Moin</b>", "c|Back"], subjects.lines(chomp: true)
  end

  # A model that gives each new row its own, after the commit.
  def add_owners(sql)
    tables = "CREATE TABLE teams (id INTEGER PRIMARY KEY, name varchar);" \
             "CREATE TABLE labels (team_id INTEGER NOT NULL REFERENCES teams, " \
             "name varchar NOT NULL, PRIMARY KEY (team_id, name));"
    server = tables.sub("id INTEGER", "id bigserial").sub("team_id INTEGER", "team_id bigint")
    sql.call(ENV["DATABASE_URL"].nil? && File.exist?("db/desk.sqlite3") ? tables : server)
    File.write("own.sql", tables)
    File.write("own.postgresql.sql", server)
    File.write("Migrations/labels.csv", "name\nbug\nidea\n")
    File.write("Migrations/catalog.json", CATALOG.sub(/\}\}\s*\z/, <<~JSON))
      , "labels": {"source": "labels.csv",
        "per": {"table": "teams", "key": "id", "column": "team_id"}}}}
    JSON
    sh("seedbed", "make", "labels", "--schema", "own.sql", "--schema", "own.postgresql.sql")
    rails("db:migrate")
    File.write("own.rb", <<~RUBY)
      class Team < ActiveRecord::Base
        after_create_commit { Seedbed.on_rails(:fill, id) }
      end
      Team.transaction { Team.create!(name: "One") }
      Team.create!(name: "Two")
      begin
        Team.transaction { Seedbed.on_rails(:fill, 1) }
      rescue Seedbed::Error => error
        puts error.message
      end
    RUBY
    assert_match(/is inside a transaction, .* after_create_commit/, rails("runner", "own.rb"))
    assert_equal "4", sql.call("SELECT count(*) FROM labels")
  end

  def rails(*words, **options) = sh("ruby", "bin/rails", *words, **options)

  def sh(*words, code: 0, **variables)
    variables = variables.transform_keys(&:to_s)
    said, status = Open3.capture2e(variables, *words)
    assert_equal code, status.exitstatus, "#{words.join(" ")}: #{said}"
    said.force_encoding("UTF-8").chomp
  end

  def edit(path, from, to)
    text = File.read(path)
    assert_match(from, text)
    File.write(path, text.sub(from, to))
  end
end
