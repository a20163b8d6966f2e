"""A time budget for code that is not ours: a property, a __repr__, a __len__."""

import contextlib
import signal


class OutOfTime(BaseException):
    """Not an Exception, so that a broad `except` in the code under budget does not swallow it."""


@contextlib.contextmanager
def limited(seconds):
    """Raises OutOfTime in the block after `seconds`; where the user's code has its own timer, there is no limit."""
    if signal.getitimer(signal.ITIMER_REAL)[0] or seconds <= 0:
        if seconds <= 0:
            raise OutOfTime()
        yield
        return

    def ring(_number, _frame):
        raise OutOfTime()

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
