"""The binary under attack, the processes that run it, and what an attack says in the end."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Stopped(Exception):
    """The attack did not work: what stopped it."""


class Succeeded(Exception):
    """The attack worked: its effect."""


def wait_for(what, within=20.0, every=0.05):
    """Asks until the answer is not false; what was answered last."""
    end = time.monotonic() + within
    while True:
        answer = what()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(every)


def events(played, kind):
    """The events of that kind in what was played."""
    return [event for line in played for event in line.get("events") or [] if event["event"] == kind]


def refusals(played):
    """Why orders were refused, in words."""
    told = [line for line in played if line.get("rejection")]
    return ", ".join(f"{line['order']['command']['do']}: {line['rejection']['reason']}" for line in told)


class Punto:
    """One release, as a binary."""

    def __init__(self, binary, folder):
        self.binary = str(Path(binary).resolve())
        self.folder = Path(folder)
        options = subprocess.run([self.binary, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        # Release 0.1.0 has no key for tickets, one first Administrator and no approvals of rules.
        self.is_first = "--ticket-key" not in options

    def run(self, *arguments, stdin=None, env=None, timeout=120):
        """A verb. The result has `returncode`, `stdout` and `stderr`."""
        return subprocess.run(
            [self.binary, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=timeout,
            cwd=self.folder, env={**os.environ, **(env or {})},
        )

    def must(self, *arguments, **options):
        done = self.run(*arguments, **options)
        if done.returncode != 0:
            raise RuntimeError(f"punto {' '.join(map(str, arguments))}: {done.stderr or done.stdout}")
        return done.stdout

    def audit(self, *arguments):
        """Whether the audit finds nothing, and what it says."""
        done = self.run("audit", *arguments, timeout=300)
        return done.returncode == 0, done.stdout + done.stderr

    def play(self, script, *options):
        """Plays a table script: each order with its `events`, or with its `rejection`."""
        path = self.folder / "script.txt"
        path.write_text(script)
        told = self.run("play", path, "--format", "json", *options)
        if not told.stdout:
            raise RuntimeError(told.stderr)
        return [json.loads(line) for line in told.stdout.splitlines()]


class Server:
    """`punto serve` on a ledger."""

    #: All that were started, to be killed in the end.
    running = []

    def __init__(self, punto, ledger, *options, env=None, limit_files=None, listen="127.0.0.1:0"):
        self.punto, self.ledger = punto, str(ledger)
        self.log_path = punto.folder / f"server-{time.monotonic_ns()}.log"
        command = [punto.binary, "serve", self.ledger, "--listen", listen, *map(str, options)]
        if limit_files:
            command = ["sh", "-c", f'ulimit -n {limit_files}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log_path.open("w"), text=True, cwd=punto.folder,
            env={**os.environ, **(env or {})},
        )
        Server.running.append(self)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            self.process.wait()
            raise RuntimeError(f"it does not start: {self.log()}")
        host, port = self.url.rsplit("/", 1)[1].rsplit(":", 1)
        self.address = (host, int(port))

    def log(self):
        return self.log_path.read_text()

    def links(self, count):
        """The secrets of the links for the first Administrators."""
        found = lambda: re.findall(r"/invitation#(\w+)", self.log())
        wait_for(lambda: len(found()) >= count, within=10)
        return found()

    def is_alive(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.is_alive():
            self.process.kill()
        self.process.wait()

    def stop(self, within=60):
        """Closes the floor in order."""
        if self.is_alive():
            self.signal(signal.SIGTERM)
        return self.process.wait(timeout=within)


def attack(work):
    """Runs an attack on the binary that the command line names, in a folder of its own, and says how it ended."""
    with tempfile.TemporaryDirectory(prefix="punto-attack-") as folder:
        try:
            word, words = "STOPPED", work(Punto(sys.argv[1], folder))
        except Succeeded as effect:
            word, words = "SUCCEEDS", effect
        except Stopped as what:
            word, words = "STOPPED", what
        finally:
            for server in Server.running:
                server.kill()
    print(f"{word}: {words}")
