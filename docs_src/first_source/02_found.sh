rove --source-plugins | grep wiki
