"""Worlds with known abilities, and how well each method finds them again. Each module holds one step; run.py puts them in order."""
