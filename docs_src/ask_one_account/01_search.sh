rove sources search jira authentication --since 2024-11-01 --limit 3
