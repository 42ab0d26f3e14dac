python -m pip install --quiet .
rove --source-plugins | grep broken
