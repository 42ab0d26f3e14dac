"""Vectors: what is near a question in meaning, beside what says its words; off unless set."""
