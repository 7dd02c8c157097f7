use rusqlite::{Connection, LoadExtensionGuard, Result};

/// Opens a database and brings it up to date.
pub fn open(database: &str, extension: &str, catalog: &str, options: &str) -> Result<Connection> {
    let app = Connection::open(database)?;
    unsafe {
        let _enabled = LoadExtensionGuard::new(&app)?;
        app.load_extension(extension, None)?;
    }
    let up = "SELECT seedbed_up(?, ?) ->> 'outcome'";
    let outcome: String = app.query_row(up, [catalog, options], |row| row.get(0))?;
    println!("{outcome}");
    Ok(app)
}
