"""The command `seedbed`, and `python -m seedbed`."""

import os
import sys

from ._program import PROGRAM


def main() -> None:
    os.execv(PROGRAM, ["seedbed", *sys.argv[1:]])


if __name__ == "__main__":
    main()
