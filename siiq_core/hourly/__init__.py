"""One hourly cycle (U): check the sources, read again, decide, remember, publish. Knows all wings, as the pipeline does."""
