"""The server of a project: one process that answers, schedules and supervises workers."""
