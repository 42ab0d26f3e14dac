rove --add-source jira --account jira:partner --base-url https://partner.atlassian.net \
    --email robin@partner.example --token-stdin < jira.token
