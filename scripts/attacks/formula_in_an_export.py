"""Somebody on the floor gives a reason that a spreadsheet runs as a formula when the export is opened."""

import csv
import io

from lib.punto import Stopped, Succeeded, attack

SCRIPT = """\
# The number of a slip stands in the rows of floats, the reason of a void in those of Rounds.
table wu-song A money=chips limits=observed
supervisor: open-float amount=20000
supervisor: fill amount=1000 slip="=HYPERLINK(A1)"
"""


def work(punto):
    punto.play(SCRIPT, "--ledger", "floor.punto")
    seen = 0
    for what in ("rounds", "cards", "wagers", "settlements", "events", "tickets", "floats", "postings"):
        text = punto.must("export", "floor.punto", "--what", what, "--format", "csv")
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                seen += "HYPERLINK" in cell
                if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not cell[1:].replace(".", "").isdigit():
                    raise Succeeded(f"a cell of {what} is {cell}")
    raise Stopped(f"{seen} cells with the text, and none that a spreadsheet runs")


attack(work)
