"""A second server is started on the same file under another name (a hard link, a file mounted elsewhere): two writers."""

import os

from lib.house import House
from lib.punto import Server, Stopped, Succeeded, attack, wait_for
from lib.store import Store
from lib.wire import Refused


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 100)
    with Store(house.ledger):
        # What was written is in the file itself, as it is after every thousand pages.
        pass
    os.link(house.ledger, punto.folder / "other.punto")
    keys = ["--key", punto.folder / "floor.punto.key", "--people", punto.folder / "floor.punto.people"]
    if not punto.is_first:
        keys += ["--ticket-key", punto.folder / "floor.punto.ticket-key"]
    first = house.server
    try:
        second = Server(punto, punto.folder / "other.punto", *keys)
    except RuntimeError as error:
        raise Stopped(next(line for line in str(error).splitlines() if line.startswith("error")))
    acknowledged = 100
    for server in (first, second, first, second):
        house.server = server
        house.tokens.clear()
        try:
            house.buy("T1", 7, 1_000)
            acknowledged += 1_000
        except (OSError, RuntimeError, TimeoutError, Refused):
            pass
    if wait_for(lambda: not first.is_alive() or not second.is_alive(), within=8):
        raise Stopped("one of the two has ended")
    for server in (second, first):
        server.stop()
    kept = 0
    with Store(house.ledger) as store:
        for entry in store.entries("table/T1"):
            kept += sum(event["amount"] for event in entry["events"] if event["event"] == "credits-bought")
    clean, said = punto.audit(house.ledger)
    found = "nothing" if clean else " ".join(said.split())[:200]
    raise Succeeded(f"two servers serve; {acknowledged} were acknowledged, {kept} are in the record; the audit finds {found}")


attack(work)
