"""The command line and the daemon of Rove."""
