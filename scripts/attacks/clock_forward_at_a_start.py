"""Somebody moves the clock of the host thirty days ahead just while the server is started again: every ticket has expired for good."""

import time

from lib.clock import HostClock
from lib.house import House
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    clock = HostClock(punto.folder)
    house = House(punto, env=clock.environment)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    number, _ = house.ticket(terminal, 7)
    before = house.http().must("GET", "/api/health")["now"]
    clock.move(2_635_200)
    house.restart()
    time.sleep(2)
    clock.move(0)
    house.restart()
    ahead = house.http().must("GET", "/api/health")["now"] - before
    house.tokens.clear()
    status, told = house.http("cas-1").ask("POST", f"/api/tickets/{number}/pay")
    if status == 200:
        raise Stopped(f"the recorded clock went on by {ahead // 1000} s, and the ticket was paid")
    raise Succeeded(f"with the clock put right the record is {ahead / 86_400_000:.1f} days ahead; the ticket: {told['state']}")


attack(work)
