"""Work that can be watched and stopped."""

import threading
from collections import deque
from typing import Callable, Deque, List, Optional, TypeVar

from ._types import Listener, Progress

Answer = TypeVar("Answer")


def watched(
    work: Callable[[Listener], Answer], stop: Callable[[], None], progress: Optional[Listener],
    cancel: Optional[threading.Event],
) -> Answer:
    """The result of `work`, which runs on a thread of its own.

    This thread only waits, so handlers of signals run on it at once, and `progress` is called on
    it. What either of them raises stops the work, and goes on when the work has ended.
    """
    wake = threading.Event()
    latest: Deque[Progress] = deque(maxlen=1)
    answers: List[Answer] = []
    errors: List[BaseException] = []

    def say(value: Progress) -> None:
        latest.append(value)
        wake.set()

    def run() -> None:
        try:
            answers.append(work(say))
        except BaseException as error:
            errors.append(error)
        wake.set()

    thread = threading.Thread(target=run, name="seedbed")
    try:
        thread.start()
        while latest or not (answers or errors):
            # Nothing wakes this thread if `cancel` is set.
            wake.wait(0.05 if cancel else None)
            wake.clear()
            if cancel and cancel.is_set():
                stop()
                cancel = None
            if latest:
                value = latest.popleft()
                if progress:
                    progress(value)
    except BaseException:
        stop()
        raise
    finally:
        _join(thread)
    if errors:
        raise errors[0]
    return answers[0]


def _join(thread: threading.Thread) -> None:
    """Waits for the thread's end, whatever handlers of signals raise meanwhile."""
    try:
        if thread.ident is not None:
            thread.join()
    except BaseException:
        _join(thread)
        raise
