package main

import (
	"database/sql"
	"github.com/mattn/go-sqlite3"
)

// open opens a database and brings it up to date.
func open(database, extension, catalog, options string) (app *sql.DB, outcome string, err error) {
	sql.Register("seedbed", &sqlite3.SQLiteDriver{Extensions: []string{extension}})
	if app, err = sql.Open("seedbed", database); err == nil {
		err = app.QueryRow("SELECT seedbed_up(?, ?) ->> 'outcome'", catalog, options).Scan(&outcome)
	}
	return
}
