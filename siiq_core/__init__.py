"""SI-IQ: AI models on one ability scale, from results that independent evaluators published."""

__version__ = "1.0.0"  # the method version (V1); every published file names it
