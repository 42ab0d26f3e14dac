rove sources rename jira:partner jira:customer
