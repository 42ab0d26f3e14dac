"""How good the retrieval of code is."""
