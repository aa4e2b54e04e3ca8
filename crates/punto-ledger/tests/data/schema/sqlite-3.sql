CREATE TABLE snapshot (
  volume INTEGER NOT NULL REFERENCES volume (id),
  seq INTEGER NOT NULL,
  link BLOB NOT NULL,
  schema INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (volume, seq)
) STRICT;
CREATE TABLE archive (size INTEGER PRIMARY KEY, tree TEXT NOT NULL, heads TEXT NOT NULL) STRICT;
CREATE TRIGGER archive_never_changes BEFORE UPDATE ON archive
BEGIN SELECT raise(ABORT, 'what was archived is never changed'); END;
CREATE TRIGGER archive_stays BEFORE DELETE ON archive
BEGIN SELECT raise(ABORT, 'what was archived stays so'); END;
DROP TRIGGER entry_stays;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry
WHEN old.leaf > (SELECT coalesce(max(size), 0) FROM archive)
BEGIN SELECT raise(ABORT, 'an entry is never deleted'); END;
