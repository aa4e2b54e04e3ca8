"""A script is played into a ledger under a table's name with a space: nothing can open that ledger again."""

from lib.punto import Stopped, Succeeded, attack

SCRIPT = "# A table.\ntable wu-song A\n"


def work(punto):
    punto.play(SCRIPT, "--ledger", "floor.punto")
    (punto.folder / "script.txt").write_text(SCRIPT)
    done = punto.run("play", "script.txt", "--ledger", "floor.punto", "--as", "T 1")
    opens = punto.run("ledger", "heads", "floor.punto")
    if opens.returncode != 0:
        raise Succeeded(f"the ledger cannot be read any more: {opens.stderr.strip().splitlines()[0]}")
    raise Stopped(done.stderr.strip().splitlines()[0])


attack(work)
