"""The user's database of linked folders."""
