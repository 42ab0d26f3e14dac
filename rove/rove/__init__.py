"""The command line and the server of Rove."""

__version__ = "0.1.0"
