"""The percentile composite: positions on boards, no latent scale (rules M)."""
