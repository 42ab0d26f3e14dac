git init -q -b feature/tb-124-providers .
rove --add-source jira --base-url https://northwind.atlassian.net \
    --email robin@northwind.example --token-stdin < jira.token
