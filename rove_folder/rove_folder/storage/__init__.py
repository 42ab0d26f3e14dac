"""What Rove remembers of linked folders, in one database of the user's."""
