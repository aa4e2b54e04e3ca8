"""The documented daily `punto ledger checkpoint` is run beside the server, which ends."""


from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 100)
    done = punto.run("ledger", "checkpoint", house.ledger)
    try:
        house.buy("T1", 7, 100)
    except (ConnectionError, OSError, RuntimeError, TimeoutError):
        pass
    if not wait_for(lambda: not house.server.is_alive(), within=10):
        house.buy("T1", 7, 100)
        raise Stopped(f"the server goes on; the verb ended with {done.returncode} and printed {len(done.stdout)} characters")
    raise Succeeded(f"the server has ended: {house.server.log().splitlines()[-1]}")


attack(work)
