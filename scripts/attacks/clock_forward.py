"""Somebody moves the clock of the host ten years ahead for a few seconds: every ticket has expired for good."""

import time

from lib.clock import HostClock
from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for


def work(punto):
    clock = HostClock(punto.folder)
    house = House(punto, env=clock.environment)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    number, _ = house.ticket(terminal, 7)
    before = house.http().must("GET", "/api/health")["now"]
    clock.move(3_650 * 86_400)
    time.sleep(12)
    house.http().must("GET", "/api/health")
    clock.move(0)
    time.sleep(2)
    ahead = house.http().must("GET", "/api/health")["now"] - before
    # Sessions are over where time has passed.
    house.tokens.clear()
    answer = wait_for(lambda: house.http("cas-1").ask("POST", f"/api/tickets/{number}/pay"))
    if answer[0] == 200 and ahead < 3_600_000:
        raise Stopped(f"the recorded clock went on by {ahead // 1000} s, and the ticket was paid")
    house.restart()
    still = house.http().must("GET", "/api/health")["now"] - before
    house.tokens.clear()
    _, told = house.http("cas-1").ask("POST", f"/api/tickets/{number}/pay")
    raise Succeeded(f"{still // 86_400_000} days ahead, also after a restart; the ticket: {told}")


attack(work)
