"""Live reading: one polite client for all publishers, bounds on all they send, an archive of all that was parsed (U1).

    reading.py                                                   one check of all publishers; the archive read again
    plans.py, asking.py                                          what each kind of publisher is asked, in which order
    judging.py                                                   can a content be used, and what of it stands still (T2, T4, U6)
    desk.py, status.py                                           where it is kept, and what is known of every source (V5)
    network.py, client.py, body.py, validators.py, waiting.py    asking a publisher
    together.py                                                  all publishers at once
    zipread.py                                                   inside a zip archive
    archive.py                                                   what was read, kept by its SHA-256
    refusals.py                                                  what is refused, by name

Nothing here is published: that is the gate's decision.
"""

import sys

# httpx brings a command line of its own, which loads click, rich and pygments: a twentieth of the work of an hour with
# nothing new. Where these are not installed, httpx goes without it; here they are, and it goes without it all the same.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
