"""Optional vectors: similarity in meaning, in addition to words; off by default."""
