"""What people read at a terminal: tables as wide as it is, colours where it has any."""
