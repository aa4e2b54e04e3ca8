"""A witness elsewhere: a server of the same build, with a folder and a key of its own."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from .punto import Server

NAME = "regulator.example/punto"


class Witness:
    """`punto witness serve` for one ledger. `key` is what the house is told."""

    def __init__(self, punto, ledger):
        # Nothing of it is in the folder that an attack puts back.
        self.folder = Path(tempfile.mkdtemp(prefix="punto-witness-", dir=punto.folder.parent))
        signs = ["--key", self.folder / "key", "--name", NAME]
        self.key = punto.must("witness", "key", *signs).strip()
        checkpoint = punto.must("ledger", "checkpoint", ledger)
        word = lambda name: next(line.split()[1] for line in checkpoint.splitlines() if line.startswith(name + " "))
        log = f"punto/{word('ledger')}={word('key')}"
        command = ["witness", "serve", "--listen", "127.0.0.1:0", "--folder", self.folder / "notes", *signs, "--log", log]
        self.process = subprocess.Popen(
            [punto.binary, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.url = self.process.stdout.readline().strip()
        Server.running.append(self)

    def kill(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
