#!/bin/sh
# shell.sh DATABASE EXTENSION CATALOG OPTIONS: brings the database up to date, and reads SQL.
set -eu
exec sqlite3 -bail -cmd ".load '$2'" \
  -cmd "SELECT seedbed_up('$3', '$4') ->> 'outcome'" "$1"
