DROP TABLE studies;
DROP TABLE notes;
