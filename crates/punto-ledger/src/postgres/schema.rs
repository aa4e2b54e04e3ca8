//! The tables in PostgreSQL. Forward only: a step that has been released is never changed, another one is added.

/// An empty ledger: no step taken yet.
pub(super) const START: &str = "
CREATE SCHEMA punto;
CREATE TABLE punto.schema_version (one bigint PRIMARY KEY CHECK (one = 1), version bigint NOT NULL);
INSERT INTO punto.schema_version VALUES (1, 0);
";

/// From there to what this release writes; `schema_version` counts the steps that were taken.
pub(super) const STEPS: [&str; 8] = [RECORD, TICKETS, DERIVED, SIGNED, LEASE, TAGS, REGISTER, CURRENCIES];

// Names are sorted and compared by their bytes (`COLLATE "C"`): what another system's locale does to an index is no
// concern of a record. `entry.volume` refers to `volume` without a foreign key, which would look there for every single
// entry and halve the speed of writing; a number that is in no row is noticed as damage when it is read.
const RECORD: &str = r#"
CREATE FUNCTION punto.refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '%', tg_argv[0]; END $$;
CREATE TABLE punto.writer (one bigint PRIMARY KEY CHECK (one = 1), fence bigint NOT NULL);
INSERT INTO punto.writer VALUES (1, 0);
CREATE TABLE punto.volume (id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE punto.entry (
  leaf bigint PRIMARY KEY,
  volume bigint NOT NULL,
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  link bytea NOT NULL CHECK (octet_length(link) = 32),
  UNIQUE (volume, seq)
);
CREATE TRIGGER entry_never_changes BEFORE UPDATE ON punto.entry
FOR EACH ROW EXECUTE FUNCTION punto.refuse('an entry is never changed');
CREATE TRIGGER volume_never_changes BEFORE UPDATE ON punto.volume
FOR EACH ROW EXECUTE FUNCTION punto.refuse('a volume is never changed');
CREATE TRIGGER volume_stays BEFORE DELETE ON punto.volume
FOR EACH ROW EXECUTE FUNCTION punto.refuse('a volume is never deleted');
CREATE TRIGGER volume_is_never_emptied BEFORE TRUNCATE ON punto.volume
EXECUTE FUNCTION punto.refuse('a volume is never deleted');
CREATE TRIGGER entry_stays BEFORE DELETE ON punto.entry
FOR EACH ROW EXECUTE FUNCTION punto.refuse('an entry is never deleted');
CREATE TRIGGER entry_is_never_emptied BEFORE TRUNCATE ON punto.entry
EXECUTE FUNCTION punto.refuse('an entry is never deleted');
"#;

const TICKETS: &str = r#"
CREATE TABLE punto.ticket (
  no text COLLATE "C" PRIMARY KEY,
  amount bigint NOT NULL,
  issued bigint NOT NULL,
  expires bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('good', 'redeemed', 'paid', 'void'))
);
CREATE TRIGGER ticket_stays BEFORE DELETE ON punto.ticket
FOR EACH ROW EXECUTE FUNCTION punto.refuse('a ticket is never deleted');
CREATE TRIGGER ticket_is_never_emptied BEFORE TRUNCATE ON punto.ticket
EXECUTE FUNCTION punto.refuse('a ticket is never deleted');
CREATE TRIGGER ticket_changes_once BEFORE UPDATE ON punto.ticket
FOR EACH ROW WHEN (old.state <> 'good' OR new.no <> old.no OR new.amount <> old.amount
  OR new.issued <> old.issued OR new.expires <> old.expires)
EXECUTE FUNCTION punto.refuse('a ticket is used once');
CREATE TABLE punto.checkpoint (
  size bigint NOT NULL,
  at bigint NOT NULL,
  text text NOT NULL,
  tree text NOT NULL,
  PRIMARY KEY (size, at)
);
"#;

// A snapshot can be deleted at any time. What was archived is a fact: rows of `archive` stay.
const DERIVED: &str = "
CREATE TABLE punto.snapshot (
  volume bigint NOT NULL REFERENCES punto.volume (id),
  seq bigint NOT NULL,
  link bytea NOT NULL,
  schema bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (volume, seq)
);
CREATE TABLE punto.archive (size bigint PRIMARY KEY, tree text NOT NULL, heads text NOT NULL);
CREATE TRIGGER archive_never_changes BEFORE UPDATE ON punto.archive
FOR EACH ROW EXECUTE FUNCTION punto.refuse('what was archived is never changed');
CREATE TRIGGER archive_stays BEFORE DELETE ON punto.archive
FOR EACH ROW EXECUTE FUNCTION punto.refuse('what was archived stays so');
CREATE TRIGGER archive_is_never_emptied BEFORE TRUNCATE ON punto.archive
EXECUTE FUNCTION punto.refuse('what was archived stays so');
CREATE FUNCTION punto.refuse_unless_archived() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF old.leaf > (SELECT coalesce(max(size), 0) FROM punto.archive) THEN
    RAISE EXCEPTION 'an entry is never deleted';
  END IF;
  RETURN old;
END $$;
DROP TRIGGER entry_stays ON punto.entry;
CREATE TRIGGER entry_stays BEFORE DELETE ON punto.entry
FOR EACH ROW EXECUTE FUNCTION punto.refuse_unless_archived();
";

// Signed commits are kept until a checkpoint signs for the same entries. Entries that nobody signed for are moved to
// `put_aside`, where they are evidence; nothing else may leave `entry` but what was archived.
const SIGNED: &str = "
CREATE TABLE punto.signed_commit (size bigint PRIMARY KEY, text text NOT NULL);
ALTER TABLE punto.snapshot ADD COLUMN key bytea;
ALTER TABLE punto.snapshot ADD COLUMN signature bytea;
CREATE TABLE punto.put_aside (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  leaf bigint NOT NULL,
  volume bigint NOT NULL REFERENCES punto.volume (id),
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  link bytea NOT NULL
);
CREATE TRIGGER put_aside_never_changes BEFORE UPDATE ON punto.put_aside
FOR EACH ROW EXECUTE FUNCTION punto.refuse('evidence is never changed');
CREATE TRIGGER put_aside_stays BEFORE DELETE ON punto.put_aside
FOR EACH ROW EXECUTE FUNCTION punto.refuse('evidence is never deleted');
CREATE TRIGGER put_aside_is_never_emptied BEFORE TRUNCATE ON punto.put_aside
EXECUTE FUNCTION punto.refuse('evidence is never deleted');
CREATE OR REPLACE FUNCTION punto.refuse_unless_archived() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF old.leaf > (SELECT coalesce(max(size), 0) FROM punto.archive)
    AND NOT EXISTS (SELECT FROM punto.put_aside WHERE put_aside.leaf = old.leaf AND put_aside.bytes = old.bytes) THEN
    RAISE EXCEPTION 'an entry is never deleted';
  END IF;
  RETURN old;
END $$;
";

// A row of its own: renewing the lease never waits for an append, which locks `writer`.
const LEASE: &str = "
CREATE TABLE punto.lease (one bigint PRIMARY KEY CHECK (one = 1), owner text, claim text, term bigint NOT NULL, beat bigint NOT NULL);
INSERT INTO punto.lease SELECT 1, NULL, NULL, fence, 0 FROM punto.writer;
";

// A ticket is found by a tag of its number, and the number is nowhere. Tickets of release 0.1.0 have none.
const TAGS: &str = "
ALTER TABLE punto.ticket ADD COLUMN key text;
ALTER TABLE punto.ticket ADD COLUMN tag bytea;
ALTER TABLE punto.ticket ADD UNIQUE (tag);
DROP TRIGGER ticket_changes_once ON punto.ticket;
CREATE TRIGGER ticket_changes_once BEFORE UPDATE ON punto.ticket
FOR EACH ROW WHEN (old.state <> 'good' OR new.no <> old.no OR new.amount <> old.amount
  OR new.issued <> old.issued OR new.expires <> old.expires
  OR new.key IS DISTINCT FROM old.key OR new.tag IS DISTINCT FROM old.tag)
EXECUTE FUNCTION punto.refuse('a ticket is used once');
";

// People and devices, a row for the deed that it reflects. Rows change with what is known; each is compared with its deed.
const REGISTER: &str = r#"
CREATE TABLE punto.register (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  deed bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (kind, id)
);
"#;

// A ticket has the currency that its entry names. Earlier builds named none, and their rows stay as they are.
const CURRENCIES: &str = "
ALTER TABLE punto.ticket ADD COLUMN currency text;
DROP TRIGGER ticket_changes_once ON punto.ticket;
CREATE TRIGGER ticket_changes_once BEFORE UPDATE ON punto.ticket
FOR EACH ROW WHEN (old.state <> 'good' OR new.no <> old.no OR new.amount <> old.amount
  OR new.issued <> old.issued OR new.expires <> old.expires
  OR new.key IS DISTINCT FROM old.key OR new.tag IS DISTINCT FROM old.tag
  OR new.currency IS DISTINCT FROM old.currency)
EXECUTE FUNCTION punto.refuse('a ticket is used once');
";
