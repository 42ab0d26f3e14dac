"""Rove as an MCP server: the operations as tools, the documents as resources."""
