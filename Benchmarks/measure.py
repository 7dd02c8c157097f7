"""Runs contenders in turn, and prints what they took."""
import os
import platform
import statistics
import sys
import time


class Sample:
    """One run of one process."""

    def __init__(self, seconds, busy, peak, written=0):
        self.seconds = seconds
        self.busy = busy  # Seconds of processor time, its children's included.
        self.peak = peak  # MiB
        self.written = written  # Bytes to the disk, in the system's blocks of 512.


def run(words, folder, exits=(0,)):
    """Runs a program to its end, with one of these codes. Returns the sample and its output."""
    with open(os.path.join(folder, "output"), "w+b") as output:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), fd) for fd in (1, 2)]
        start = time.perf_counter()
        process = os.posix_spawnp(words[0], words, os.environ, file_actions=actions)
        _, status, used = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        output.seek(0)
        # No more than anybody would look at: what is printed may be large, and this process's
        # peak would count for its children.
        text = output.read(1 << 20).decode(errors="replace")
    if os.waitstatus_to_exitcode(status) not in exits:
        sys.exit(f"bench: '{' '.join(words)}' failed:\n{text}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Sample(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / unit,
                  used.ru_oublock * 512), text


def alternate(contenders, runs):
    """Runs all contenders `runs` times, each round beginning with another one.

    A contender is a name and a function that returns a sample. What slows the machine for a
    while so slows them all, and no one of them always follows the same other.
    """
    samples = {name: [] for name, _ in contenders}
    for number in range(runs):
        first = number % len(contenders)
        for name, contender in contenders[first:] + contenders[:first]:
            samples[name].append(contender())
    return samples


def median(samples, what="seconds"):
    return statistics.median(getattr(sample, what) for sample in samples)


def spread(samples):
    """How far the middle half of the runs lies apart, as a share of the median."""
    if len(samples) < 2:
        return 0
    low, _, high = statistics.quantiles((sample.seconds for sample in samples), method="inclusive")
    return (high - low) / median(samples)


def heading(text, state):
    print(f"\n{text}")
    print(f"{state}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f}\n")


def table(titles, rows):
    """Prints a Markdown table; what begins with a digit stands at the right."""
    rows = [titles] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(titles))]
    for number, row in enumerate(rows):
        cells = [
            cell.rjust(width) if cell[:1].isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths)
        ]
        print("| " + " | ".join(cells) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print()


def verdicts(targets):
    """Prints whether each target holds: what, how much was reached, how much is allowed, unit."""
    for what, reached, limit, unit in targets:
        word = "holds " if reached <= limit else "MISSED"
        print(f"{word}  {what}: {reached:.2f}{unit}, at most {limit}{unit}")
    return all(reached <= limit for _, reached, limit, _ in targets)
