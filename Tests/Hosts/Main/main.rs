// What goes on after open() in rust.rs: the app's statements.
mod host;

use rusqlite::types::Value;

fn main() -> rusqlite::Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let app = host::open(&words[1], &words[2], &words[3], &words[4])?;
    for line in std::io::stdin().lines() {
        let mut statement = app.prepare(&line.unwrap())?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            match row.get(0)? {
                Value::Text(text) => println!("{text}"),
                Value::Integer(number) => println!("{number}"),
                _ => println!(),
            }
        }
    }
    Ok(())
}
