#!/bin/sh
# readme.sh README: does what the README shows, in an empty folder: its commands, but for how to
# install the package, then its Python.
set -eu
sed -n '/^```sh$/,/^```$/{/^```/d;/venv/d;p}' "$1" >commands.sh
[ -s commands.sh ]
sh -eu commands.sh
exec python -m doctest -o ELLIPSIS "$1"
