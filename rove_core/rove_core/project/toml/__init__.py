"""TOML beyond ``tomllib``: positions of keys, and writing."""
