rove remove "how do partners get their keys"
