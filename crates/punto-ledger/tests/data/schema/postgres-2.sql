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
