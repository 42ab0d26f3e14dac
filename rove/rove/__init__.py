"""The command line and the daemon of Rove."""

__version__ = "0.1.0"
