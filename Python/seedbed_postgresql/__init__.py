"""The program by which seedbed works on PostgreSQL servers. Nothing here is to be imported."""
