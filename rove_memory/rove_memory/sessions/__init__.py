"""Sessions: an agent's work on a ticket, from start to end."""
