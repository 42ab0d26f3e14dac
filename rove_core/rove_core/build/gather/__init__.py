"""Ask accounts about a ticket and follow what they refer to."""
