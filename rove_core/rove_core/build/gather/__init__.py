"""Search accounts for a ticket and follow references."""
