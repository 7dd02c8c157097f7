CREATE TABLE elements (
  number INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  name TEXT NOT NULL
);
