"""SI-IQ: AI models on one ability scale, from results that independent evaluators published."""

import os

# Matrices here are small: where cores are shared, threads of linear algebra wait for each other ten times as long as the sums take.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "1.0.0"  # the method version (V1); every published file names it
