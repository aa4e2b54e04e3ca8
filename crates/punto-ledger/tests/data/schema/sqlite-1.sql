CREATE TABLE writer (one INTEGER PRIMARY KEY CHECK (one = 1), fence INTEGER NOT NULL) STRICT;
INSERT INTO writer VALUES (1, 0);
CREATE TABLE volume (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE entry (
  leaf INTEGER PRIMARY KEY,
  volume INTEGER NOT NULL REFERENCES volume (id),
  seq INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  link BLOB NOT NULL CHECK (length(link) = 32),
  UNIQUE (volume, seq)
) STRICT;
CREATE TRIGGER entry_never_changes BEFORE UPDATE ON entry
BEGIN SELECT raise(ABORT, 'an entry is never changed'); END;
CREATE TRIGGER volume_never_changes BEFORE UPDATE ON volume
BEGIN SELECT raise(ABORT, 'a volume is never changed'); END;
CREATE TRIGGER volume_stays BEFORE DELETE ON volume
BEGIN SELECT raise(ABORT, 'a volume is never deleted'); END;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry
BEGIN SELECT raise(ABORT, 'an entry is never deleted'); END;
