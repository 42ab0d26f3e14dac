"""What building a document costs."""
