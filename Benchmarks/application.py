"""An application on a server during a release."""
import subprocess
import sys
import threading
import time

import measure
from cancel import at

try:
    import psycopg
except ImportError:  # Needed by `server` alone.
    psycopg = None

READERS = 2
BEFORE = 5  # Seconds.


def check_client():
    """Asked before anything is measured."""
    if psycopg is None:
        sys.exit("bench: This Python has no psycopg: Scripts/setup --with postgresql, and then "
                 "/usr/bin/python3 Scripts/bench server")


def application(options, place, program, folder):
    """What the application's connections notice of rows that come beside others."""
    uri = place.fresh("used")
    held = int(place.sql("run", "SELECT count(*) FROM moves"))
    first = options.rows + 1
    return beside(
        f"{options.rows:,} rows beside {held:,}", uri, [program, "up", "--migrations", str(folder)],
        ("SELECT name FROM moves WHERE id = %s", lambda number: [first + number * 7919 % held]),
        ("SELECT count(*) FROM moves", (held, held + options.rows)),
        {"moves": ("UPDATE moves SET power = %s WHERE id = %s",
                   lambda number: [number, first + number % held])})


def referring(place, program, folder, held):
    """The same of a release that retires rows to which the application adds references."""
    uri = place.fresh("words")
    place.sql("run", """
        CREATE TABLE favourites (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            word BIGINT NOT NULL REFERENCES words ON DELETE CASCADE);
        CREATE INDEX ON favourites (word);
        CREATE TABLE visits (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word BIGINT);""")
    return beside(
        f"20,000 rows come, 300 change and 40 go beside {held:,}", uri,
        [program, "up", "--migrations", str(folder), "--no-backup"],
        ("SELECT lemma FROM words WHERE id = %s", lambda number: [1 + number * 7919 % held]),
        ("SELECT count(*) FROM words", (held, held + 20_000 - 40)), {
            "words": ("UPDATE words SET favourite = %s WHERE id = %s",
                      lambda number: [number, held // 2 + number % 1000]),
            "favourites": ("INSERT INTO favourites (word) VALUES (%s)",
                           lambda number: [held // 2 + number % 1000]),
            "visits": ("INSERT INTO visits (word) VALUES (%s)", lambda number: [number])})


def beside(title, uri, command, reading, whole, writing):
    """Readers, and a writer for each table, before and during a run."""
    taken = {(who, phase): [] for who in ["readers", *writing] for phase in ("before", "during")}
    state = {"phase": "before", "halves": 0, "errors": [], "longest": (0, 0)}

    def read(number):
        with psycopg.connect(uri, autocommit=True) as connection:
            while state["phase"] != "over":
                key = number + len(taken["readers", state["phase"]])
                work(connection, "readers", reading[0], reading[1](key))
                if number == 0 and key % 64 == 0:
                    if connection.execute(whole[0]).fetchone()[0] not in whole[1]:
                        state["halves"] += 1

    def write(table, sql, values):
        with psycopg.connect(uri, autocommit=True) as connection:
            number = 0
            while state["phase"] != "over":
                number += 1
                work(connection, table, sql, values(number))
                time.sleep(0.001)

    def work(connection, who, sql, values):
        phase, start = state["phase"], time.monotonic()
        try:
            connection.execute(sql, values)
        except psycopg.Error as error:
            state["errors"].append(str(error))
        end = time.monotonic()
        if phase != "over":
            taken[who, phase].append((end - start) * 1e3)
        if who != "readers":
            state["longest"] = max(state["longest"], (end - start, end))

    threads = [threading.Thread(target=read, args=[number]) for number in range(READERS)]
    threads += [
        threading.Thread(target=write, args=[table, *how]) for table, how in writing.items()]
    for thread in threads:
        thread.start()
    time.sleep(BEFORE)
    state["phase"] = "during"
    start = time.monotonic()
    subprocess.run([*command, "--database", uri, "--quiet"], check=True)
    end = time.monotonic()
    state["phase"] = "over"
    for thread in threads:
        thread.join()
    measure.table(
        [title, "phase", "times", "median ms", "99 % ms", "most ms"],
        [[who, phase, f"{len(found):,}",
          *(f"{at(found, share):.2f}" for share in (0.5, 0.99, 1))]
         for (who, phase), found in taken.items()])
    waited, until = state["longest"]
    print(f"The run took {end - start:.2f} s. A writer waited {waited:.2f} s, until "
          f"{(end - until) * 1e3:.0f} ms before the process ended.\n")
    for error in set(state["errors"]):
        print(f"error: {error}")
    longest = max(taken["readers", "during"], default=0) / 1e3
    return [
        ("errors of readers and writers", len(state["errors"]), 0, ""),
        ("reads of half a release", state["halves"], 0, ""),
        ("the longest read, by the time of the run", longest / (end - start), 0.1, ""),
        ("seconds that a writer waits past the run", max(0, until - end), 0.1, ""),
    ]
