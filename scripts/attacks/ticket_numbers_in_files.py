"""A thief of a backup, an export or the ledger reads the numbers of live tickets and is paid."""

import re

from lib.house import House
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    held, _ = house.ticket(terminal, 7)
    backup, export = punto.folder / "backup.punto", punto.folder / "export.ndjson"
    punto.must("backup", house.ledger, backup)
    export.write_text(punto.must("export", house.ledger))
    found = {}
    for file in (house.ledger, backup, export):
        text = file.read_bytes()
        for number in re.findall(rb"\d{4}-\d{4}-\d{4}-\d{4}-\d{4}", text):
            found.setdefault(number.decode(), []).append(file.name)
        if held.replace("-", "").encode() in text:
            found.setdefault(held, []).append(file.name)
    for number, files in found.items():
        status, told = house.http("cas-1").ask("POST", f"/api/tickets/{number}/pay")
        if status == 200:
            raise Succeeded(f"{told['amount']} paid for a number read in {', '.join(sorted(set(files)))}")
    raise Stopped("no number of a ticket is in ledger, backup or export")


attack(work)
