//! The tables in SQLite. Forward only: a step that has been released is never changed, another one is added.

/// `PUNT` in ASCII: what the file says it is.
pub(super) const APPLICATION: i32 = 0x5055_4e54;

/// From an empty file to what this release writes; `user_version` counts the steps that were taken.
pub(super) const STEPS: [&str; 7] = [RECORD, TICKETS, DERIVED, SIGNED, TAGS, REGISTER, CURRENCIES];

const RECORD: &str = "
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
";

const TICKETS: &str = "
CREATE TABLE ticket (
  no TEXT PRIMARY KEY,
  amount INTEGER NOT NULL,
  issued INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('good', 'redeemed', 'paid', 'void'))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ticket_stays BEFORE DELETE ON ticket
BEGIN SELECT raise(ABORT, 'a ticket is never deleted'); END;
CREATE TRIGGER ticket_changes_once BEFORE UPDATE ON ticket
WHEN old.state <> 'good' OR new.no <> old.no OR new.amount <> old.amount
  OR new.issued <> old.issued OR new.expires <> old.expires
BEGIN SELECT raise(ABORT, 'a ticket is used once'); END;
CREATE TABLE checkpoint (
  size INTEGER NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  tree TEXT NOT NULL,
  PRIMARY KEY (size, at)
) STRICT;
";

// A snapshot can be deleted at any time. What was archived is a fact: rows of `archive` stay.
const DERIVED: &str = "
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
";

// Signed commits are kept until a checkpoint signs for the same entries. Entries that nobody signed for are moved to
// `put_aside`, where they are evidence; nothing else may leave `entry` but what was archived.
const SIGNED: &str = "
CREATE TABLE signed_commit (size INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
ALTER TABLE snapshot ADD COLUMN key BLOB;
ALTER TABLE snapshot ADD COLUMN signature BLOB;
CREATE TABLE put_aside (
  id INTEGER PRIMARY KEY,
  leaf INTEGER NOT NULL,
  volume INTEGER NOT NULL REFERENCES volume (id),
  seq INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  link BLOB NOT NULL
) STRICT;
CREATE TRIGGER put_aside_never_changes BEFORE UPDATE ON put_aside
BEGIN SELECT raise(ABORT, 'evidence is never changed'); END;
CREATE TRIGGER put_aside_stays BEFORE DELETE ON put_aside
BEGIN SELECT raise(ABORT, 'evidence is never deleted'); END;
DROP TRIGGER entry_stays;
CREATE TRIGGER entry_stays BEFORE DELETE ON entry
WHEN old.leaf > (SELECT coalesce(max(size), 0) FROM archive)
  AND NOT EXISTS (SELECT 1 FROM put_aside WHERE put_aside.leaf = old.leaf AND put_aside.bytes = old.bytes)
BEGIN SELECT raise(ABORT, 'an entry is never deleted'); END;
";

// A ticket is found by a tag of its number, and the number is nowhere. Tickets of release 0.1.0 have none.
const TAGS: &str = "
ALTER TABLE ticket ADD COLUMN key TEXT;
ALTER TABLE ticket ADD COLUMN tag BLOB;
CREATE UNIQUE INDEX ticket_by_tag ON ticket (tag) WHERE tag IS NOT NULL;
DROP TRIGGER ticket_changes_once;
CREATE TRIGGER ticket_changes_once BEFORE UPDATE ON ticket
WHEN old.state <> 'good' OR new.no <> old.no OR new.amount <> old.amount
  OR new.issued <> old.issued OR new.expires <> old.expires
  OR new.key IS NOT old.key OR new.tag IS NOT old.tag
BEGIN SELECT raise(ABORT, 'a ticket is used once'); END;
";

// People and devices, a row for the deed that it reflects. Rows change with what is known; each is compared with its deed.
const REGISTER: &str = "
CREATE TABLE register (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  deed INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;
";

// A ticket has the currency that its entry names. Earlier builds named none, and their rows stay as they are.
const CURRENCIES: &str = "
ALTER TABLE ticket ADD COLUMN currency TEXT;
DROP TRIGGER ticket_changes_once;
CREATE TRIGGER ticket_changes_once BEFORE UPDATE ON ticket
WHEN old.state <> 'good' OR new.no <> old.no OR new.amount <> old.amount
  OR new.issued <> old.issued OR new.expires <> old.expires
  OR new.key IS NOT old.key OR new.tag IS NOT old.tag OR new.currency IS NOT old.currency
BEGIN SELECT raise(ABORT, 'a ticket is used once'); END;
";
