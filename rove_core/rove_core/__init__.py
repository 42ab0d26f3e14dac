"""The hooks, the context builder and the test kit of Rove."""
