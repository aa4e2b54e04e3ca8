"""A clock of the host that can be moved, for one process: libfaketime says what time it is."""

from pathlib import Path

LIBRARIES = ["/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1", "/usr/local/lib/faketime/libfaketime.so.1"]


class HostClock:
    """`environment` makes a process read this clock. Only the time of day is moved; waiting goes on as ever."""

    def __init__(self, folder):
        found = [path for pattern in LIBRARIES for path in Path("/").glob(pattern.lstrip("/"))]
        if not found:
            raise RuntimeError("libfaketime is needed; on Debian: apt-get install faketime")
        self.offset = folder / "offset"
        self.move(0)
        self.environment = {
            "LD_PRELOAD": str(found[0]), "FAKETIME_TIMESTAMP_FILE": str(self.offset), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def move(self, seconds):
        """So many seconds ahead of the real time."""
        self.offset.write_text(f"+{seconds}")
