"""A release for many schemas of one database, against a loop of processes."""
import subprocess
import threading
import time

import measure
from application import BEFORE, check_client, psycopg
from cancel import at
from each import CHANGES, ROWS
from merge import write
from project import catalog, work
from server import Server, build

TABLE = "CREATE TABLE words (id bigint PRIMARY KEY, word text NOT NULL, note text)"


def make(folder):
    (folder / "catalog.json").write_text('{"engines": ["postgresql"]}\n')
    first, second = folder / "0001_words", folder / "0002_june"
    first.mkdir()
    (first / "schema.postgresql.sql").write_text(f"{TABLE};\n")
    write(first / "words.csv.gz", ["id,word"] + [f"{n},word-{n}" for n in range(1, ROWS + 1)])
    second.mkdir()
    write(second / "words.update.csv.gz", ["id,was:word,word"] + [
        f"{n},word-{n},june-{n}" for n in range(1, CHANGES + 1)])


def tenants(options):
    """A release of 20 changes for tables of 1,000 rows in 1,000 schemas."""
    check_client()
    program, place, count = build(), Server(), min(options.databases, 1_000)
    folder = catalog("tenants", make)
    common = ["--migrations", str(folder), "--no-backup", "--quiet"]
    prepare(place, count)
    first = measure.run(
        [program, "up", "--to", "1", "--each", place.uri("tenants"), "--schemas", "t*", "--jobs",
         "2", *common], work)[0]
    print(f"The first release, {ROWS:,} rows in each of {count:,} schemas: {first.seconds:.1f} s")

    def each(uri, jobs):
        return [program, "up", "--each", uri, "--schemas", "t*", "--jobs", str(jobs), *common]

    def contender(words):
        def run():
            uri = place.fresh("tenants")
            sample = measure.run(words(uri), work)[0]
            changed = place.sql("run", f"SELECT count(*) FROM t{count}.words WHERE word = 'june-1'")
            assert changed == "1", words(uri)
            return sample
        return run

    def loop(uri):
        line = f"'{program}' up {' '.join(common)} --database '{uri}&schema=t'$n || exit"
        return ["sh", "-c", f"for n in $(seq {count}); do {line}; done"]

    def by_hand(uri):
        script = work / "tenants.sql"
        script.write_text("".join(
            f"BEGIN;\n" + "".join(
                f"UPDATE t{tenant}.words SET word = 'june-{n}' WHERE id = {n} AND word = "
                f"'word-{n}';\n" for n in range(1, CHANGES + 1)) + "COMMIT;\n"
            for tenant in range(1, count + 1)))
        return ["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", str(script), uri]

    samples = measure.alternate([
        ("--each --jobs 1", contender(lambda uri: each(uri, 1))),
        ("--each --jobs 2", contender(lambda uri: each(uri, 2))),
        ("a loop of migrate up", contender(loop)),
        ("the UPDATEs in one psql", contender(by_hand)),
    ], options.runs)
    version = place.sql("postgres", "SHOW server_version")
    measure.heading(
        f"{count:,} schemas of {ROWS:,} rows, {CHANGES} changes, {options.runs} runs in turn",
        f"PostgreSQL {version}")
    measure.table(
        ["", "schemas/s", "seconds", "CPU s", "peak MiB"],
        [[name, f"{count / measure.median(found):,.0f}", f"{measure.median(found):.2f}",
          f"{measure.median(found, 'busy'):.2f}", f"{max(each.peak for each in found):.1f}"]
         for name, found in samples.items()])
    measured = {name: measure.median(found) for name, found in samples.items()}
    uri = place.fresh("tenants")
    measure.run(each(uri, 2), work)
    idle = measure.run(each(uri, 2), work)[0]
    print(f"Nothing pending: {idle.seconds:.2f} s\n")
    ours, looped = measured["--each --jobs 2"], measured["a loop of migrate up"]
    return measure.verdicts(
        [("2 jobs", ours / looped, 1 / 2, "× a loop of migrate up")]
        + noticed(place, lambda uri: each(uri, 2), count))


def prepare(place, count):
    place.sql("postgres", "CREATE DATABASE tenants")
    for start in range(1, count + 1, 100):
        # One transaction locks no more than the server has room for.
        place.sql("tenants", "".join(
            f"CREATE SCHEMA t{number}; {TABLE.replace('words', f't{number}.words', 1)};\n"
            for number in range(start, min(start + 100, count + 1))))


def noticed(place, words, count):
    """What an application that uses all tenants in turn notices."""
    uri = place.fresh("tenants")
    taken = {(who, phase): [] for who in ("read", "write") for phase in ("before", "during")}
    state = {"phase": "before", "halves": 0, "errors": []}

    def use(who, sql, values):
        with psycopg.connect(uri, autocommit=True) as connection:
            number = 0
            while state["phase"] != "over":
                number, phase, start = number + 1, state["phase"], time.monotonic()
                tenant = number * 7919 % count + 1
                try:
                    found = connection.execute(sql.format(tenant), values(number)).fetchone()
                except psycopg.Error as error:
                    state["errors"].append(str(error))
                    continue
                if phase != "over":
                    taken[who, phase].append((time.monotonic() - start) * 1e3)
                if who == "read" and found[0] not in (0, CHANGES):
                    state["halves"] += 1
                time.sleep(0.001)

    threads = [
        threading.Thread(target=use, args=[
            "read", "SELECT count(*) FILTER (WHERE word LIKE 'june-%%') FROM t{}.words "
            "WHERE id <= %s", lambda _: [CHANGES]]),
        threading.Thread(target=use, args=[
            "write", "UPDATE t{}.words SET note = %s WHERE id = 7 RETURNING id",
            lambda number: [str(number)]]),
    ]
    for thread in threads:
        thread.start()
    time.sleep(BEFORE)
    state["phase"] = "during"
    start = time.monotonic()
    subprocess.run(words(uri), check=True)
    end = time.monotonic()
    state["phase"] = "over"
    for thread in threads:
        thread.join()
    measure.table(
        ["an application", "phase", "times", "median ms", "99 % ms", "most ms"],
        [[who, phase, f"{len(found):,}",
          *(f"{at(found, share):.2f}" for share in (0.5, 0.99, 1))]
         for (who, phase), found in taken.items()])
    print(f"The run took {end - start:.2f} s.\n")
    for error in sorted(set(state["errors"])):
        print(f"error: {error}")
    longest = max(taken["read", "during"] + taken["write", "during"], default=0) / 1e3
    return [
        ("errors of a reader and a writer", len(state["errors"]), 0, ""),
        ("reads of half a release", state["halves"], 0, ""),
        ("the longest wait of both", longest, 1, " s"),
    ]
