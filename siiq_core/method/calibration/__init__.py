"""Calibration (C): fit, identification, kappa, acceptance; `run.calibrate` puts them in order."""
