"""The vendors in a box: simulators and a sample company for Rove."""
