"""Groups of commands of the command line, one module each; cli.py mounts them."""
