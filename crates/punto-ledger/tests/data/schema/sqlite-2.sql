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
