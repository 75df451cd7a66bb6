"""The method chapter: its numbers and marks (facts), its tables (blocks) and its live figures."""
