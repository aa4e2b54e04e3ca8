DROP TRIGGER device_stays;
DROP TRIGGER device_is_revoked_once;
DROP INDEX one_terminal;
ALTER TABLE device RENAME TO device_before;
CREATE TABLE device (
  id TEXT PRIMARY KEY COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('terminal', 'console', 'board', 'reader', 'acceptor')),
  at_table TEXT NOT NULL,
  patron INTEGER CHECK ((kind IN ('terminal', 'acceptor')) = (patron IS NOT NULL)),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  enrolled INTEGER NOT NULL,
  revoked INTEGER
) STRICT;
INSERT INTO device (id, kind, at_table, patron, secret, enrolled, revoked)
  SELECT id, kind, at_table, patron, secret, enrolled, revoked FROM device_before;
DROP TABLE device_before;
CREATE UNIQUE INDEX one_terminal ON device (at_table, patron) WHERE kind = 'terminal' AND revoked IS NULL;
CREATE UNIQUE INDEX one_acceptor ON device (at_table, patron) WHERE kind = 'acceptor' AND revoked IS NULL;
CREATE TRIGGER device_stays BEFORE DELETE ON device
BEGIN SELECT raise(ABORT, 'a device is never deleted: its name is used up'); END;
CREATE TRIGGER device_is_revoked_once BEFORE UPDATE ON device
WHEN old.revoked IS NOT NULL OR new.id <> old.id OR new.secret <> old.secret
BEGIN SELECT raise(ABORT, 'a device is only ever revoked, and once'); END;
