"""One Administrator revokes a patron's terminal, enrols another for the same number and cashes out what stands on it."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Screen


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    thief = house.http(house.administrators[0])
    thief.must("DELETE", "/api/devices/t-T1-7")
    status, told = thief.post("/api/devices", {"device": "mine", "kind": {"terminal": {"table": "T1", "patron": 7}}})
    if status >= 300:
        raise Stopped(f"{status} {told}")
    mine = Screen(house.address, "T1", "terminal", {"as": "patron", "patron": 7}, device=told["credential"])
    number, _ = house.ticket(mine, 7)
    raise Succeeded(f"the cage paid {house.pay(number)} of the patron's credits to the Administrator")


attack(work)
