"""Find, load, check and call plugins."""
