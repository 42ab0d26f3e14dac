"""The server of a project: one process that answers, schedules and watches over its workers."""
