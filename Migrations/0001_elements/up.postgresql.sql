-- The periodic table as it stood in 2015: elements 113, 115, 117 and 118 still carry their
-- systematic names, and the weights are those of the IUPAC table of 2013, in force until
-- August 2015. Sources and rules: data/SOURCES.md.
CREATE TABLE elements (
    number             INTEGER PRIMARY KEY CHECK (number > 0),
    symbol             TEXT NOT NULL UNIQUE CHECK (length(symbol) BETWEEN 1 AND 3),
    name               TEXT NOT NULL UNIQUE,

    -- The standard atomic weight: NULL where the element has none, because no mixture of its
    -- isotopes is typical of the Earth. IUPAC gives either a value with an uncertainty, or an
    -- interval; for an interval, weight holds the conventional value, which is rounded and may
    -- lie just outside it.
    weight             DOUBLE PRECISION CHECK (weight > 0),
    weight_low         DOUBLE PRECISION,
    weight_high        DOUBLE PRECISION,
    weight_uncertainty DOUBLE PRECISION CHECK (weight_uncertainty > 0),

    category           TEXT,        -- NULL where experiment has not settled it
    phase              TEXT         -- at 25 °C and 100 kPa; NULL where too little was ever made
                       CHECK (phase IN ('solid', 'liquid', 'gas')),
    group_number       INTEGER      -- NULL for the lanthanides and actinides
                       CHECK (group_number BETWEEN 1 AND 18),
    period             INTEGER NOT NULL CHECK (period > 0),
    block              TEXT         -- NULL for La, Lu, Ac and Lr, where it is disputed
                       CHECK (block IN ('s', 'p', 'd', 'f')),
    discovered         INTEGER      -- a year; NULL where it was in use before anyone kept record
                       CHECK (discovered > 0),
    discoverer         TEXT,

    CHECK ((weight_low IS NULL) = (weight_high IS NULL)),
    CHECK (weight_low < weight_high)
);

-- For lists by category, in order of the numbers.
CREATE INDEX elements_by_category ON elements (category, number);
