"""The gate: what of the publishers' data may be published, and when (U); every step of it is on record in a ledger."""
