rove build "how do partners get their keys?" > /dev/null
rove --api-find "how do partners get their keys"
