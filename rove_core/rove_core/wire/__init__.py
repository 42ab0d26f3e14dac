"""Typed values to JSON and back, with JSON Schema."""
