#!/bin/sh
# readme.sh README: does what the README shows, in an empty folder: its commands, then its Python.
set -eu
printf 'id,lemma,note\n1,hot,\n2,cold,\n3,warm,\n' >words.csv
sed -n '/^```sh$/,/^```$/{/^```/d;/^pip /d;p}' "$1" >commands.sh
[ -s commands.sh ]
sh -eu commands.sh
exec python -m doctest -o ELLIPSIS "$1"
