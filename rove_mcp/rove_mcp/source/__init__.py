"""Any MCP server as a source: search, read, quote and cite its content."""
