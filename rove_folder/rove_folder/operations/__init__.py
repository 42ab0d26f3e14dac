"""What Rove can do with linked folders."""
