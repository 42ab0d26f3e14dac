rove sources item jira TB-461/file/auth-7c9d.log
