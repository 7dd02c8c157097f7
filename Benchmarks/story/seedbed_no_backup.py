"""Seedbed's command without its backup.

Page: Documentation/CommandReference.md, `up`. It is called as seedbed.py calls it on a server.
"""
from files import run
from seedbed import release, start_server

run(start_server, release=release)
