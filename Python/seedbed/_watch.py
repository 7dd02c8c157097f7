"""Work that can be watched and stopped."""

import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Deque, Optional, TypeVar

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

    def say(value: Progress) -> None:
        latest.append(value)
        wake.set()

    with ThreadPoolExecutor(1, "seedbed") as pool:
        try:
            future = pool.submit(work, say)
            future.add_done_callback(lambda _: wake.set())
            while latest or not future.done():
                # Nothing wakes this thread when `cancel` is set.
                wake.wait(0.05 if cancel else None)
                wake.clear()
                if cancel and cancel.is_set():
                    stop()
                    cancel = None
                value = latest.popleft() if latest else None
                if value and progress:
                    progress(value)
        except BaseException:
            stop()
            raise
    return future.result()
