CREATE SCHEMA punto;
CREATE TABLE punto.schema_version (one bigint PRIMARY KEY CHECK (one = 1), version bigint NOT NULL);
INSERT INTO punto.schema_version VALUES (1, 0);
