# frozen_string_literal: true

require "json"
require "open3"

# Ships seed data to databases and keeps what users changed in them.
#
#   Seedbed.up("app.sqlite", catalog: "Migrations")
#
# The first argument is the database: a path, a URL of PostgreSQL, or in Rails a class of models
# such as ActiveRecord::Base. Each call runs the program `seedbed` and returns the document that
# `seedbed VERB --json` prints, a Hash. Options are the program's: `no_backup: true` is --no-backup,
# and it refuses those that it does not know.
module Seedbed
  CARRIED = File.expand_path("../libexec/seedbed", __dir__)
  # They are the command's: a call names its database itself.
  OF_COMMAND = {"MIGRATE_DATABASE" => nil, "MIGRATE_BACKUPS" => nil, "DATABASE_URL" => nil}.freeze

  # A call that failed. Nothing is left half done. `code` is what a program decides by, such as
  # "busy"; `applied` lists the releases that were finished before; `exit_code` is the program's.
  class Error < StandardError
    attr_reader :json, :exit_code

    def initialize(json, exit_code)
      @json, @exit_code = json, exit_code
      place = [file, line, column].compact.join(":")
      super(place.empty? ? json["error"]["message"] : "#{place}: #{json["error"]["message"]}")
    end

    %w[code file line column version].each { |name| define_method(name) { @json["error"][name] } }

    def applied = @json["applied"]

    def database_unchanged? = @json["databaseUnchanged"]
  end

  class << self
    # Those with a block call it with a Hash of "fraction", "phase", "table" and "rows", at most 30
    # times a second. If it raises or breaks, the release that is being applied is rolled back.
    def up(db, **options, &progress) = call("up", db, **options, &progress)
    def plan(db, **options, &progress) = call("plan", db, **options, &progress)
    def down(db, to, **options, &progress) = call("down", db, to: to, **options, &progress)
    def status(db, **options) = call("status", db, **options)
    def verify(db, **options) = call("verify", db, **options)
    def conflicts(db, **options) = call("conflicts", db, **options)
    def origin(db, table, key, **options) = call("origin", db, table, line(key), **options)
    def pin(db, table, key, **options) = call("pin", db, table, line(key), **options)
    def unpin(db, table, key, **options) = call("unpin", db, table, line(key), **options)

    # The rows of the catalog that are not in the database, and why; of one table or of all.
    def absent(db, table = nil, **options) = call("absent", db, *table, **options)

    # Puts a row back as the catalog has it, whatever the user did to it. Without a key and with
    # `missing: true`, all rows that are absent, of the table or of all.
    def reseed(db, table = nil, key = nil, missing: false, **options)
      if key.nil? != missing || (table.nil? && !key.nil?)
        refuse("Give a table and the key of a row, or missing: true for all absent rows.", "usage")
      end
      call("reseed", db, *table, *(line(key) unless key.nil?), missing: missing, **options)
    end

    # Gives a new owner, by its key, a copy of the rows of each table with the option "per". The
    # program does not see an owner that is not committed. `up` fills owners that have no copy.
    def fill(db, owner, **options)
      if db.respond_to?(:connection_db_config) && db.connection.transaction_open?
        refuse("'#{db}' is inside a transaction, of which the program sees nothing. Call it " \
               "after the commit, as in after_create_commit, or leave it to the next 'up'.")
      end
      call("fill", db, owner, **options)
    end

    # Settles conflicts by their ids, for the user (:mine) or the release (:seed).
    def resolve(db, ids, side, **options)
      call("resolve", db, *Array(ids), side.to_sym => true, **options)
    end

    # Any other verb that works on a database, with its operands.
    def call(verb, db, *operands, words: [], **options, &progress)
      variables, flags = arguments(db, **options)
      flags += ["--json", "--progress=#{progress ? "json" : "none"}", *words]
      run(variables, [verb.to_s, *flags, "--", *operands.map(&:to_s)], progress)
    end

    # The variables and the arguments by which the program finds database, catalog and options.
    # Everybody on the machine can read arguments, and a URL may have a password.
    def arguments(db, catalog: "Migrations", **options)
      refuse("'database' is the first argument. Leave the option out.") if options.key?(:database)
      db = url(db.connection_db_config.configuration_hash) if db.respond_to?(:connection_db_config)
      flags = ["--migrations=#{catalog}"] + options.flat_map { |name, value| flag(name, value) }
      return [OF_COMMAND, ["--database=#{db}", *flags]] unless db.to_s.include?("://")
      [OF_COMMAND.merge("MIGRATE_DATABASE" => db), flags]
    end

    # The one that is named by SEEDBED_PROGRAM, that of this gem, or else the one on the path.
    def program
      ENV["SEEDBED_PROGRAM"] || (File.exist?(CARRIED) ? CARRIED : "seedbed")
    end

    private

    # A row's key, as in the row files.
    def line(key)
      return JSON.generate(key) if key.is_a?(Hash)
      Array(key).map(&:to_s).map do |value|
        value.match?(/\A\z|[,"\r\n]/) ? "\"#{value.gsub('"', '""')}\"" : value
      end.join(",")
    end

    def flag(name, value)
      flag = "--#{name.to_s.tr("_", "-")}"
      return [] if value.nil? || value == false
      value == true ? [flag] : Array(value).map { |each| "#{flag}=#{each}" }
    end

    def run(variables, words, progress)
      said = +""
      Open3.popen3(variables, [program, "seedbed"], *words) do |input, output, errors, process|
        input.close
        # Whatever the locale is.
        [output, errors].each { |stream| stream.set_encoding(Encoding::UTF_8) }
        answer = Thread.new { output.read }
        errors.each_line do |text|
          text.start_with?("{") ? progress&.call(JSON.parse(text)) : said << text
        end
        return checked(answer.value, process.value, said)
      ensure
        stop(process)
        answer&.join
      end
    rescue SystemCallError, ArgumentError => error
      refuse("'#{program}' cannot be run (#{error.message}). Install the gem for this platform, " \
             "or the program for it, and name that in SEEDBED_PROGRAM.")
    end

    def stop(process)
      Process.kill("TERM", process.pid) if process.alive?
    rescue Errno::ESRCH
      nil # It has just ended.
    end

    def checked(answer, status, said)
      document = JSON.parse(answer)
      document.key?("error") ? raise(Error.new(document, status.exitstatus)) : document
    rescue JSON::ParserError
      refuse("'#{program}' gave no answer (#{status}). #{said}".strip)
    end

    def refuse(message, code = "io")
      error = {"code" => code, "message" => message}
      exit_code = (code == "usage") ? 64 : 2
      raise Error.new({"error" => error, "databaseUnchanged" => true, "applied" => []}, exit_code)
    end
  end
end

require_relative "seedbed/railtie" if defined?(ActiveRecord::Railtie)
