python -m pip install .
rove --source-plugins
