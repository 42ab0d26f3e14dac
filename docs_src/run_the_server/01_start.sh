rove --start-server | sed 's/process [0-9]*/process 4711/'
