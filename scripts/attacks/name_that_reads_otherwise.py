"""Somebody is taken on under a name with characters that nobody sees and that turn the writing round."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack

NAME = "Ann\u202eregaM tfihS\u200b"


def work(punto):
    house = House(punto)
    first = house.http(house.administrators[0])
    what = {"person": "ann-1", "name": NAME, "role": "dealer"}
    if punto.is_first:
        status, told = first.post("/api/staff", what)
    else:
        asked = {"what": {"hire": what}, "second": house.administrators[1], "reason": "planned"}
        status, told = first.post("/api/staffing", asked)
        if status < 300:
            house.sign(told, house.administrators[1])
            status, told = first.post("/api/staffing/record", {"pending": told["pending"]})
    names = [it["name"] for it in first.must("GET", "/api/staff")]
    if NAME in names:
        raise Succeeded("every screen shows it as it was typed")
    raise Stopped(f"{status} {told}")


attack(work)
