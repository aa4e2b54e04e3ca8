"""Somebody damages an entry of one table: the whole house stands still."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.store import Store


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.open_table("T2")
    house.terminal("T2", 7)
    house.stop()
    with Store(house.ledger) as store:
        store.unlock()
        table = store.volume("table/T1")
        store.run("DELETE FROM snapshot")
        store.run("UPDATE entry SET bytes = substr(bytes, 1, 20) WHERE volume = ? AND seq = 1", table)
    try:
        house.start()
    except RuntimeError as error:
        raise Succeeded(str(error).strip().splitlines()[-1])
    house.buy("T2", 7, 100)
    tables = {it["table"]: it["status"]["is"] for it in house.http(house.administrators[0]).must("GET", "/api/tables")}
    raise Stopped(f"T2 plays; {tables}")


attack(work)
