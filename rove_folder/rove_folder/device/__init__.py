"""The session protocol of the published design: other programs' files, summarised by the server."""
