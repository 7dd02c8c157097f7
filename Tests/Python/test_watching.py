"""Progress, Ctrl-C, cancelling, threads and forks."""

import contextlib
import io
import os
import signal
import threading
import time

import seedbed
from support import CATALOG, LARGE, MEDIUM, Case

INTERRUPTED = """
import signal
# It is switched off where the tests were started in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    seedbed.up(sys.argv[1], sys.argv[2])
    print("finished")
except KeyboardInterrupt:
    print("interrupted", seedbed.status(sys.argv[1], sys.argv[2]).current)
"""
RAISING = """
import signal
def leave(number, frame):
    sys.exit("left")
signal.signal(signal.SIGUSR1, leave)
try:
    seedbed.up(sys.argv[1], sys.argv[2])
    print("finished")
except SystemExit as end:
    print(end, seedbed.status(sys.argv[1], sys.argv[2]).current)
"""


class Watching(Case):
    def setUp(self):
        super().setUp()
        seedbed.up("app.sqlite", LARGE, to=2)

    def unchanged(self):
        self.assertEqual(seedbed.status("app.sqlite", LARGE).current, 2)
        self.assertEqual(self.sql("app.sqlite", "SELECT count(*) FROM words"), [(99,)])

    def signalled(self, code, send):
        """What a process says that gets a signal in the middle of release 3."""
        child = self.started(code, "app.sqlite", LARGE)
        self.is_writing("app.sqlite", child)
        start = time.monotonic()
        send(child.pid)
        said, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0)
        # The whole release takes longer than this on any machine that has these tests.
        self.assertLess(time.monotonic() - start, 10)
        self.unchanged()
        return said

    def test_ctrl_c_for_the_process(self):
        said = self.signalled(INTERRUPTED, lambda pid: os.kill(pid, signal.SIGINT))
        self.assertEqual(said, "interrupted 2\n")

    def test_ctrl_c_in_a_terminal(self):
        # It goes to all processes of the group.
        said = self.signalled(INTERRUPTED, lambda pid: os.killpg(pid, signal.SIGINT))
        self.assertEqual(said, "interrupted 2\n")

    def test_another_handler_that_raises(self):
        said = self.signalled(RAISING, lambda pid: os.kill(pid, signal.SIGUSR1))
        self.assertEqual(said, "left 2\n")

    def test_cancelled_by_another_thread(self):
        cancel = threading.Event()

        def soon():
            self.is_writing("app.sqlite")
            cancel.set()

        thread = threading.Thread(target=soon)
        thread.start()
        with self.assertRaises(seedbed.Cancelled) as caught:
            seedbed.up("app.sqlite", LARGE, cancel=cancel)
        thread.join()
        self.assertEqual(caught.exception.code, "cancelled")
        self.unchanged()

    def test_an_event_that_is_not_set(self):
        report = seedbed.up("app.sqlite", CATALOG, cancel=threading.Event())
        self.assertEqual(report.to_version, 3)


class Progress(Case):
    def test_progress(self):
        seen, threads = [], set()

        def progress(value):
            seen.append(value)
            threads.add(threading.current_thread())

        seedbed.up("app.sqlite", MEDIUM, progress=progress)
        fractions = [each.fraction for each in seen]
        self.assertEqual(fractions, sorted(fractions))
        self.assertEqual(fractions[-1], 1)
        self.assertLess(fractions[0], 0.5)
        self.assertEqual(seen[-1].rows, 30_104)
        self.assertEqual(threads, {threading.current_thread()})

    def test_print(self):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            seedbed.up("app.sqlite", CATALOG, progress=print)
        self.assertIn("Progress(fraction=1.0, phase=", output.getvalue())

    def test_plan_and_down(self):
        seen = []
        seedbed.plan("app.sqlite", CATALOG, progress=seen.append)
        self.assertEqual(seen.pop().fraction, 1)
        seedbed.up("app.sqlite", CATALOG)
        seen.clear()
        seedbed.down("app.sqlite", CATALOG, 0, progress=seen.append)
        self.assertEqual(seen.pop().fraction, 1)

    def test_an_exception_cancels(self):
        seen = []

        def progress(value):
            seen.append(value)
            if value.rows > 1000:
                raise ZeroDivisionError("mine")

        before = threading.active_count()
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            seedbed.up("app.sqlite", LARGE, progress=progress)
        self.assertEqual(threading.active_count(), before)
        self.assertEqual((seen[-1].phase, seen[-1].table), ("applying", "words"))
        self.assertLess(seen[-1].rows, 500_000)
        self.assertEqual(seedbed.status("app.sqlite", LARGE).current, 2)

    def test_a_slow_listener_does_not_slow_the_call(self):
        seedbed.up("app.sqlite", LARGE, to=2)
        start, seen = time.monotonic(), []

        def progress(value):
            time.sleep(0.5)
            seen.append(value)

        seedbed.up("app.sqlite", MEDIUM, progress=progress)
        self.assertEqual(seen[-1].fraction, 1)
        self.assertLess(len(seen), 3 + 2 * (time.monotonic() - start))


class Processes(Case):
    def test_a_fork(self):
        seedbed.up("before.sqlite", CATALOG)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if seedbed.up("child.sqlite", CATALOG).to_version == 3 else 2
            finally:
                os._exit(code)
        self.assertEqual(seedbed.up("parent.sqlite", CATALOG).to_version, 3)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_threads(self):
        outcomes = []

        def up(name):
            outcomes.append((name, seedbed.up(name, CATALOG, to=1, lock_timeout=30).outcome))

        names = ["one.sqlite", "two.sqlite", "two.sqlite", "two.sqlite"]
        threads = [threading.Thread(target=up, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expected = [("one.sqlite", "applied"), ("two.sqlite", "applied")]
        self.assertEqual(sorted(outcomes), expected + [("two.sqlite", "upToDate")] * 2)
