"""Evidence: what the sources say, about which model, and which of it counts."""
