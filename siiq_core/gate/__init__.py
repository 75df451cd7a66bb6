"""The gate (U): what a live update may change, and when. It decides and publishes nothing itself; every step is on record in a ledger."""
