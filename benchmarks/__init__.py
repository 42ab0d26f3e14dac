"""What Rove measures about itself, one module each: ``nox -s bench -- NAME``."""
