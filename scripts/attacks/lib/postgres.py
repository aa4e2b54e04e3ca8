"""A real PostgreSQL on loopback, made new and gone afterwards."""

import shutil
import socket
import subprocess
import tempfile
from pathlib import Path


class Postgres:
    """A cluster of its own on loopback."""

    def __init__(self, *settings):
        self.settings = settings
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        self.bin = programs[-1] if programs else Path(shutil.which("postgres")).parent
        self.folder = Path(tempfile.mkdtemp(prefix="punto-pg-"))
        shutil.chown(self.folder, "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.tool("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale", "C")
        self.start()
        self.tool("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "punto")

    def tool(self, name, *arguments, check=True):
        command = [self.bin / name, *map(str, arguments)]
        return subprocess.run(command, user="postgres", capture_output=True, text=True, check=check, cwd="/", env={"PATH": "/usr/bin:/bin"})

    def start(self):
        settings = ("listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}", *self.settings)
        options = " ".join([f"-p {self.port}", *(f"-c {it}" for it in settings)])
        subprocess.run(
            [self.bin / "pg_ctl", "-w", "-D", self.folder / "data", "-l", self.folder / "log", "-o", options, "start"],
            user="postgres", check=True, cwd="/", stdout=subprocess.DEVNULL,
        )

    def url(self, port=None):
        return f"postgres://postgres@127.0.0.1:{port or self.port}/punto?sslmode=disable"

    def close(self):
        self.tool("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
