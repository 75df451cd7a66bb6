"""A clock in the test's hands."""

import datetime

from siiq_core.evidence.live.waiting import Clock


class Pace:
    """Sleeping moves the clock on and is written down."""

    def __init__(self, moment: datetime.datetime) -> None:
        self.moment, self.slept = moment, []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.moment += datetime.timedelta(seconds=seconds)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.moment, lambda: self.moment.timestamp(), self.sleep)
