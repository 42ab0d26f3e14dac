"""Any MCP server as a source: what it offers is searched, read, quoted and cited."""
