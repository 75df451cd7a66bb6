"""The gate (U): what of a new snapshot may be published, and when."""
