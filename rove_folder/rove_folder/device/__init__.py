"""The published session protocol: the server summarises other programs' files."""
