rove sources test jira
