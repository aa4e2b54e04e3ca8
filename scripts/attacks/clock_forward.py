"""Somebody moves the clock of the host ten years ahead for a few seconds: every ticket has expired for good."""

import time
from pathlib import Path

from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for

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
    offset.write_text("+3650d")
    time.sleep(12)
    house.http().must("GET", "/api/health")
    offset.write_text("+0")
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
