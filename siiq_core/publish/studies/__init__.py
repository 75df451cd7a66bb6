"""The pages of the studies: are the intervals right, and where does the model fail."""
