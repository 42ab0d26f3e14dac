"""Score what was gathered. Every function is pure."""
