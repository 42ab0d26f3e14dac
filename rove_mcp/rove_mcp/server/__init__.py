"""Rove as an MCP server: operations as tools, documents as resources."""
