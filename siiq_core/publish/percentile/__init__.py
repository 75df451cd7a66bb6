"""The page of the percentile composite, made from percentile.json alone."""
