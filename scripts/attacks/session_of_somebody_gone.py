"""Somebody walks away from a signed-in screen: the open socket keeps the session alive beyond a quarter of an hour."""

import time

from lib.clock import HostClock
from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Http


def work(punto):
    clock = HostClock(punto.folder)
    house = House(punto, env=clock.environment)
    house.hire("sup-1", "pit-supervisor")
    house.open_table("T1")
    screen = house.pit("T1", "sup-1", "pit-supervisor")
    # Twice ten minutes go by, and each time the server looks at its sockets, which it does every 20 seconds.
    for minutes in (10, 20):
        clock.move(60 * minutes)
        try:
            screen.hear(23)
        except OSError:
            pass
    status, told = Http(house.address, house.tokens["sup-1"]).get("/api/session")
    if status == 200:
        raise Succeeded(f"after 20 minutes without use whoever comes by is {told['person']}")
    raise Stopped(f"{status}, and the socket was told {screen.goodbye}")


attack(work)
