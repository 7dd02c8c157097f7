DROP TABLE elements;
