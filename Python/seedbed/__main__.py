"""The command, as `python -m seedbed`."""

from ._program import main

main()
