"""The Administrator who enrolled a terminal keeps a copy of its credential, and cashes out once its patron has credits."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Refused


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    try:
        number, _ = house.ticket(house.terminal("T1", 7, house.halves["t-T1-7"]), 7)
    except (Refused, ConnectionError) as refused:
        raise Stopped(refused)
    raise Succeeded(f"the cage paid {house.pay(number)} of the patron's credits to the Administrator")


attack(work)
