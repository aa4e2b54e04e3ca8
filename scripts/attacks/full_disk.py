"""The disk fills up while patrons play, and has room again later: play has ended for good."""

import os
import subprocess
import time

from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for
from lib.wire import Refused


def work(punto):
    disk = punto.folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], check=True)
    try:
        fill_up(punto, disk)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def fill_up(punto, disk):
    house = House(punto, "disk/floor")
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    filler = (disk / "filler").open("wb")
    end = time.monotonic() + 20
    while house.server.is_alive() and time.monotonic() < end:
        # What is freed meanwhile is taken as well.
        for size in (1 << 16, 1 << 12, 1):
            try:
                while os.write(filler.fileno(), b"\0" * size):
                    pass
            except OSError:
                pass
        sold(house)
    filler.close()
    (disk / "filler").unlink()
    if not house.server.is_alive():
        raise Succeeded(f"the server has ended: {house.server.log().strip().splitlines()[-1]}")
    again = wait_for(lambda: sold(house), within=30)
    house.stop()
    clean, said = punto.audit(house.ledger)
    if again and clean:
        raise Stopped("play goes on as soon as there is room, and the audit finds nothing")
    raise Succeeded(f"it does not go on within 30 s: {said}")


def sold(house):
    """Whether a Cashier can sell credits."""
    try:
        house.buy("T1", 7, 100)
        return True
    except (OSError, RuntimeError, TimeoutError, Refused):
        return False


attack(work)
