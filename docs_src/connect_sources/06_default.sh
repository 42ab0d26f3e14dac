rove --set-default-source jira
rove sources list
