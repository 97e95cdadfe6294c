"""`python -m godaemon` is `godaemon`."""

from godaemon.cli import main

if __name__ == "__main__":
    main()
