rove sources list
rove --set-default-source jira
rove --ticket TB-123 --source jira:partner
