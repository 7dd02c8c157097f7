DROP TABLE words;
DROP TABLE kinds;
