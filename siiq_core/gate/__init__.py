"""The gate (U): what a live update may change. It decides and publishes nothing itself."""
