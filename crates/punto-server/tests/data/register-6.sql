CREATE TABLE budget (
  person TEXT NOT NULL COLLATE NOCASE REFERENCES staff (person),
  source TEXT NOT NULL,
  failures INTEGER NOT NULL,
  locked_until INTEGER,
  PRIMARY KEY (person, source)
) STRICT;
CREATE TABLE browser (
  secret BLOB PRIMARY KEY CHECK (length(secret) = 32),
  person TEXT NOT NULL COLLATE NOCASE REFERENCES staff (person),
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX browser_of ON browser (person);
