"""`python -m units`: the agent as a process."""
from units.server import run

if __name__ == "__main__":
    run()
