"""One Administrator invites a Shift Manager again, chooses that password and signs in as them."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack

CHOSEN = "nobody but the thief knows this"


def work(punto):
    house = House(punto)
    house.hire("shift-1", "shift-manager")
    thief = house.http(house.administrators[0])
    status, told = thief.ask("PATCH", "/api/staff/shift-1", {"invite": True})
    if status >= 300:
        # Or with a change of staff that nobody else signs.
        asked = {"what": {"change": {"person": "shift-1", "invite": True}}, "second": house.administrators[1], "reason": "asked"}
        pending = thief.must("POST", "/api/staffing", asked)["pending"]
        status, told = thief.post("/api/staffing/record", {"pending": pending})
    if status < 300 and told.get("invitation"):
        house.choose(told["invitation"], None, CHOSEN)
        token = house.sign_in("shift-1", CHOSEN)
        who = type(thief)(house.address, token).must("GET", "/api/session")
        raise Succeeded(f"signed in as {who['person']}, {who['role']}")
    raise Stopped(f"{status} {told}")


attack(work)
