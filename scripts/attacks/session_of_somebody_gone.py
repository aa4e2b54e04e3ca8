"""Somebody walks away from a signed-in screen: the open socket keeps the session alive beyond a quarter of an hour."""

import time
from pathlib import Path

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Http

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


def work(punto):
    if not Path(FAKETIME).exists():
        raise RuntimeError("needs libfaketime")
    offset = punto.folder / "offset"
    offset.write_text("+0")
    env = {
        "LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    house = House(punto, env=env)
    house.hire("sup-1", "pit-supervisor")
    house.open_table("T1")
    screen = house.pit("T1", "sup-1", "pit-supervisor")
    # Twice ten minutes go by, and each time the server looks at its sockets, which it does every 20 seconds.
    for minutes in (10, 20):
        offset.write_text(f"+{minutes}m")
        try:
            screen.hear(23)
        except OSError:
            pass
    status, told = Http(house.address, house.tokens["sup-1"]).get("/api/session")
    if status == 200:
        raise Succeeded(f"after 20 minutes without use whoever comes by is {told['person']}")
    raise Stopped(f"{status}, and the socket was told {screen.goodbye}")


attack(work)
