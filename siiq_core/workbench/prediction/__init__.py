"""Does it predict? Results are hidden by a fixed rule, predicted from the rest, and compared with what was hidden."""
