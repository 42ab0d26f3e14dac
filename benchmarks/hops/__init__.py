"""How many functions a build passes on its way through the processes."""
