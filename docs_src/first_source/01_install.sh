python -m pip install '.[test]'
