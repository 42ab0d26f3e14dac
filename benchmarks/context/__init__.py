"""How good the documents are that Rove builds, by what should be in them."""
