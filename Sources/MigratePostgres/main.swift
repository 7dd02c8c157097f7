print("migrate-postgresql cannot do anything yet.")
