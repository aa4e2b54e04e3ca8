"""The ledger's file as somebody sees it who can write to it and has no key."""

import hashlib
import json
import sqlite3


class Store:
    """A ledger in a file, opened by SQLite alone. What its triggers forbid is done by dropping them."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA busy_timeout = 5000")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.db.close()

    def rows(self, query, *values):
        return self.db.execute(query, values).fetchall()

    def run(self, statement, *values):
        self.db.execute(statement, values)

    def unlock(self):
        """Drops every trigger."""
        for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            self.run(f'DROP TRIGGER "{name}"')

    def volume(self, name):
        return self.rows("SELECT id FROM volume WHERE name = ?", name)[0][0]

    def entries(self, volume):
        """Entries of a volume, parsed, oldest first."""
        query = "SELECT bytes FROM entry WHERE volume = ? ORDER BY seq"
        return [json.loads(row[0]) for row in self.rows(query, self.volume(volume))]

    def entry_with(self, volume, event):
        """The last entry in which that happened."""
        return next(it for it in reversed(self.entries(volume)) if any(e["event"] == event for e in it["events"]))

    def append(self, volume, entry):
        """Appends an entry, chained to the one before as the ledger itself does it. The chain needs no key."""
        number = self.volume(volume)
        seq, link = self.rows("SELECT seq, link FROM entry WHERE volume = ? ORDER BY seq DESC LIMIT 1", number)[0]
        leaf = self.rows("SELECT max(leaf) FROM entry")[0][0] + 1
        entry = {**entry, "seq": seq + 1}
        data = json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode()
        link = hashlib.sha256(link + data).digest()
        self.run("INSERT INTO entry (leaf, volume, seq, bytes, link) VALUES (?, ?, ?, ?, ?)", leaf, number, seq + 1, data, link)
        return seq + 1


def ticket_number(drawn):
    """A ticket number with right check digits: the whole is a multiple of 9973."""
    digits = f"{drawn:016}"
    check = -int(digits + "0000") % 9973
    digits += f"{check:04}"
    return "-".join(digits[at:at + 4] for at in range(0, 20, 4))
