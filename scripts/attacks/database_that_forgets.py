"""Whoever runs the database turns `fsync` off: what was acknowledged is lost when the power fails, and nobody is told."""

from lib.postgres import Postgres
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    cluster = Postgres("fsync=off")
    try:
        done = punto.run("ledger", "found", cluster.url(), "--kind", "house", "--key", "floor.key")
        if done.returncode == 0:
            raise Succeeded("a house is founded on it")
        raise Stopped(done.stderr.strip().splitlines()[0])
    finally:
        cluster.close()


attack(work)
