"""A second server is started on a ledger that one is writing: it takes the ledger away and ends play."""

from lib.house import House
from lib.punto import Server, Stopped, Succeeded, attack, wait_for


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 100)
    first, second = house.server, None
    try:
        second = Server(punto, house.ledger)
    except RuntimeError as error:
        refused = str(error).strip().splitlines()[-2:]
    try:
        house.buy("T1", 7, 100)
    except (ConnectionError, OSError, RuntimeError, TimeoutError):
        pass
    if wait_for(lambda: not first.is_alive(), within=8):
        raise Succeeded(f"the first server has ended, the second {'serves' if second and second.is_alive() else 'too'}")
    raise Stopped(f"the first one goes on: {' '.join(refused)}")


attack(work)
