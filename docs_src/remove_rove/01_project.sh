rove --add-source jira --base-url https://northwind.atlassian.net \
    --email robin@northwind.example --token-stdin < jira.token > /dev/null
rove --ticket TB-123 > /dev/null 2>&1
rove purge 2>&1 || true
