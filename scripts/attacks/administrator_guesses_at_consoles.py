"""One Administrator enrols many consoles, each with attempts of its own, and guesses a Shift Manager's password with them."""

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Http

# Release 0.1.0 locks the person everywhere, which stops this and lets anybody lock anybody out (`guessing_locks_out`).

CONSOLES = 20


def enrol(house, device):
    """As one Administrator does it who asks nobody."""
    kind = {"console": {"table": "T1"}}
    status, told = house.http(house.administrators[0]).post("/api/devices", {"device": device, "kind": kind})
    if status >= 300:
        raise Stopped(f"{status} {told}")
    return told["credential"]


def work(punto):
    house = House(punto)
    house.hire("shift-1", "shift-manager")
    house.open_table("T1")
    looked_at = 0
    for n in range(CONSOLES):
        console = Http(house.address, enrol(house, f"c-{n}"))
        for guess in range(5):
            status, told = console.post("/api/session", {"person": "shift-1", "password": f"a wrong guess {n} {guess}"})
            looked_at += status == 401
    # Whether a password that is right is taken at yet another console shows that the guesses were looked at.
    last = Http(house.address, enrol(house, "c-last"))
    status, _ = last.post("/api/session", {"person": "shift-1", "password": password("shift-1")})
    if status == 200 and looked_at > 25:
        raise Succeeded(f"{looked_at} guesses within seconds, and the next one is still looked at")
    raise Stopped(f"{looked_at} guesses were answered, and then the right password with {status}")


attack(work)
