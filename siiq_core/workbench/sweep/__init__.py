"""Sweeps: the method run again on every combination of declared choices, and which of them matter.

grid → cells → runners (this process, several, a Dask cluster) → journal of finished cells → summary. A cell's result depends
on the desk and on its changes alone, so it is the same wherever it is computed.
"""
