"""Value: which model, at which effort, for the money (rules Q, D, R). Each module holds one step; run.py puts them in order."""
