"""Somebody moves the clock of the host thirty days ahead just while the server is started again: every ticket has expired for good."""

import time
from pathlib import Path

from lib.house import House
from lib.punto import Stopped, Succeeded, attack

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
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    number, _ = house.ticket(terminal, 7)
    before = house.http().must("GET", "/api/health")["now"]
    offset.write_text("+2635200")
    house.restart()
    time.sleep(2)
    offset.write_text("+0")
    house.restart()
    ahead = house.http().must("GET", "/api/health")["now"] - before
    house.tokens.clear()
    status, told = house.http("cas-1").ask("POST", f"/api/tickets/{number}/pay")
    if status == 200:
        raise Stopped(f"the recorded clock went on by {ahead // 1000} s, and the ticket was paid")
    raise Succeeded(f"with the clock put right the record is {ahead / 86_400_000:.1f} days ahead; the ticket: {told['state']}")


attack(work)
