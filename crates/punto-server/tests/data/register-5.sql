ALTER TABLE invitation ADD COLUMN code BLOB CHECK (code IS NULL OR length(code) = 32);
