"""A Cashier alone cashes a patron's credits out to a ticket and pays it to themselves."""

from lib.house import House, cashed
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    cage = house.cage("T1", "cas-1")
    answer = cage.order({"do": "cash-out", "patron": 7})
    if "done" not in answer:
        raise Stopped(answer)
    paid = house.pay(terminal.until(lambda: cashed(terminal), "ticket"))
    raise Succeeded(f"{paid} of the patron's credits were paid to the Cashier")


attack(work)
