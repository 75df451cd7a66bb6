"""Analyses: what a finished calibration looks like from inside. They read what the stages found and alter nothing."""
