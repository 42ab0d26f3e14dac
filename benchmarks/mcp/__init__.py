"""MCP both ways: what it costs, and whether programs that nobody here wrote can use it."""
