"""SI-IQ: AI models on one ability scale, from results that independent evaluators published."""

import os

__version__ = "1.0.0"  # the method version (V1); every published file names it

# Before numpy is imported: its matrices here have a few hundred rows, and threads cost such work three times what they
# give (0.16 against 0.05 s of processor time a calibration with κ). Who sets the variable is heeded; no number depends on it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
