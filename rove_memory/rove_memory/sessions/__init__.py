"""Sessions: what an agent did on a ticket, from its start to its end."""
