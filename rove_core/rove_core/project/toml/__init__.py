"""TOML beyond tomllib: where each key stands, and how values are written."""
