"""The method: eligibility → transform → calibration → scoring → ranks. Pure functions, no clock, no random numbers."""
