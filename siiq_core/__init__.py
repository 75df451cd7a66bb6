"""SI-IQ: AI models on one ability scale, from results that independent evaluators published."""

import os

__version__ = "1.0.0"  # the method version (V1); every published file names it

# The matrices of the method are small. A second thread of linear algebra gains nothing on them, and where other processes
# keep the cores busy it waits in a loop: a verification then takes five times the work. Numpy reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
