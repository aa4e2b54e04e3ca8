ALTER TABLE device ADD COLUMN box INTEGER CHECK (box IS NULL OR (kind = 'terminal' AND box BETWEEN 1 AND 255));
CREATE UNIQUE INDEX one_at_box ON device (at_table, box)
  WHERE kind = 'terminal' AND box IS NOT NULL AND revoked IS NULL;
