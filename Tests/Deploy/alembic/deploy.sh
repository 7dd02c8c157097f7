set -e
export MIGRATE_DIR=catalog
alembic upgrade head
seedbed up --must-exist
