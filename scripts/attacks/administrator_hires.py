"""One Administrator takes an accomplice on as Shift Manager; the accomplice signs in."""

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    house = House(punto)
    thief = house.http(house.administrators[0])
    what = {"person": "friend-1", "name": "A friend", "role": "shift-manager"}
    status, told = thief.post("/api/staff", what)
    if status >= 300:
        asked = {"what": {"hire": what}, "second": house.administrators[1], "reason": "needed"}
        pending = thief.must("POST", "/api/staffing", asked)["pending"]
        status, told = thief.post("/api/staffing/record", {"pending": pending})
    if status < 300:
        house.choose(told["invitation"], None, password("friend-1"))
        role = house.http("friend-1").must("GET", "/api/session")["role"]
        raise Succeeded(f"the friend is signed in as {role}")
    raise Stopped(f"{status} {told}")


attack(work)
