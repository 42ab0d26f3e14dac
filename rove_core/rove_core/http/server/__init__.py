"""A small HTTP/1.1 server: for whoever answers requests on this machine."""
