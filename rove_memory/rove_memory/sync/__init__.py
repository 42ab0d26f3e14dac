"""Two-way sync with trackers: edits queued here, changes made there, merged field by field."""
