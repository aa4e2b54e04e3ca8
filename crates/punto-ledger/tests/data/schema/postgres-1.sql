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
