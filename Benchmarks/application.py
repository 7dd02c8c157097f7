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
    taken = {(who, phase): [] for who in ("read", "write") for phase in ("before", "during")}
    state = {"phase": "before", "halves": 0, "errors": [], "longest": (0, 0)}

    def read(number):
        with psycopg.connect(uri, autocommit=True) as connection:
            while state["phase"] != "over":
                key = (number + len(taken["read", state["phase"]]) * 7919) % held
                work(connection, "read", "SELECT name FROM moves WHERE id = %s",
                     [options.rows + 1 + key])
                if number == 0 and len(taken["read", state["phase"]]) % 64 == 0:
                    found = connection.execute("SELECT count(*) FROM moves").fetchone()[0]
                    if found not in (held, held + options.rows):
                        state["halves"] += 1

    def write():
        with psycopg.connect(uri, autocommit=True) as connection:
            number = 0
            while state["phase"] != "over":
                number += 1
                work(connection, "write", "UPDATE moves SET power = %s WHERE id = %s",
                     [number, options.rows + 1 + number % held])
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
        if who == "write":
            state["longest"] = max(state["longest"], (end - start, end))

    threads = [threading.Thread(target=read, args=[number]) for number in range(READERS)]
    threads.append(threading.Thread(target=write))
    for thread in threads:
        thread.start()
    time.sleep(BEFORE)
    state["phase"] = "during"
    start = time.monotonic()
    subprocess.run(
        [program, "up", "--migrations", str(folder), "--database", uri, "--quiet"], check=True)
    end = time.monotonic()
    state["phase"] = "over"
    for thread in threads:
        thread.join()
    measure.table(
        [f"{options.rows:,} rows beside {held:,}", "phase", "times", "median ms", "99 % ms",
         "most ms"],
        [[who, phase, f"{len(found):,}",
          *(f"{at(found, share):.2f}" for share in (0.5, 0.99, 1))]
         for (who, phase), found in taken.items()])
    waited, until = state["longest"]
    print(f"The run took {end - start:.2f} s. A writer waited {waited:.2f} s, until "
          f"{(end - until) * 1e3:.0f} ms before the process ended.\n")
    for error in set(state["errors"]):
        print(f"error: {error}")
    longest = max(taken["read", "during"], default=0) / 1e3
    return [
        ("errors of readers and the writer", len(state["errors"]), 0, ""),
        ("reads of half a release", state["halves"], 0, ""),
        ("the longest read, by the time of the run", longest / (end - start), 0.1, ""),
        ("seconds that a writer waits past the run", max(0, until - end), 0.1, ""),
    ]
