"""Live reading: one polite client for all publishers, bounds on all they send, an archive of all that was parsed (U1).

    network.py, client.py, body.py, validators.py, waiting.py    asking a publisher
    together.py                                                  all publishers at once
    zipread.py                                                   inside a zip archive
    archive.py                                                   what was read, kept by its SHA-256
    refusals.py                                                  what is refused, by name

Nothing here is published: that is the gate's decision.
"""
