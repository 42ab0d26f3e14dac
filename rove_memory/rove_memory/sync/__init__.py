"""Two-way sync with trackers: local edits are queued, remote changes merged by field."""
