rove --ticket PAY-88 > /dev/null
rove verify PAY-88 | tail -n 4
