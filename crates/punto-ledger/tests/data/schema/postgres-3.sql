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
