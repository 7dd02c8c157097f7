-- What the user makes. No migration ever ships a row for these two tables.

-- AUTOINCREMENT, so that the id of a deleted note is never given to another one.
CREATE TABLE notes (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    element    INTEGER NOT NULL REFERENCES elements (number),
    text       TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);

CREATE INDEX notes_by_element ON notes (element);

-- One row for each question that was put to the user: which element, what was asked for,
-- what came back, and whether it was right.
CREATE TABLE studies (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    element    INTEGER NOT NULL REFERENCES elements (number),
    asked      TEXT NOT NULL,       -- a column of elements: 'symbol', 'name', …
    answer     TEXT,                -- NULL where the question was passed over
    correct    INTEGER NOT NULL CHECK (correct IN (0, 1)),
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),

    CHECK (answer IS NOT NULL OR correct = 0)
);

CREATE INDEX studies_by_element ON studies (element);
