"""The folder for the secrets of software shoes cannot be written: Rounds hang, and the server says that it is well."""

import shutil
import time

from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for


def work(punto):
    house = House(punto)
    house.stop()
    # The folder is there at the start, and away when the first shoe is made.
    house.start()
    folder = punto.folder / "floor.punto.shoes"
    shutil.rmtree(folder)
    folder.write_text("this is not a folder")
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 10_000)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        terminal.hear(1)
    health = house.http().must("GET", "/api/health")
    before = terminal.view["phase"]
    folder.unlink()
    folder.mkdir(mode=0o700)
    played = lambda: terminal.hear(0.2) or any(it["event"] in ("round-settled", "round-voided") for it in terminal.events)
    goes_on = wait_for(played, within=60)
    if health["well"] and not goes_on:
        raise Succeeded(f"after 30 s it is well and stands at {before}; with the folder back it hangs for another minute")
    if not goes_on:
        raise Succeeded(f"said ({health}), and it does not go on")
    raise Stopped(f"well: {health['well']}; play goes on when the folder is back")


attack(work)
