"""Somebody who can write to the store raises a patron's credits in a snapshot; they are cashed out and paid."""

import json

from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for
from lib.store import Store
from lib.wire import Refused


FORGED = 5_000_000


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    credential = house.terminal("T1", 7).credential
    house.buy("T1", 7, 100)
    house.stop()
    # A snapshot is kept when a table is read back.
    house.start()
    kept = "SELECT 1 FROM snapshot JOIN volume ON volume.id = volume WHERE name = 'table/T1'"
    wait_for(lambda: Store(house.ledger).rows(kept))
    house.stop()
    with Store(house.ledger) as store:
        table = store.volume("table/T1")
        for seq, data in store.rows("SELECT seq, bytes FROM snapshot WHERE volume = ?", table):
            kept = json.loads(data)
            # The table's own books are made to fit.
            kept["state"]["accounts"]["7"]["credits"] += FORGED
            kept["state"]["books"]["received"] += FORGED
            data = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()
            store.run("UPDATE snapshot SET bytes = ? WHERE volume = ? AND seq = ?", data, table, seq)
    house.start()
    try:
        number, _ = house.ticket(house.terminal("T1", 7, credential), 7)
    except Refused as refused:
        raise Stopped(refused)
    paid = house.pay(number)
    if paid == 100:
        raise Stopped("the forged snapshot is not read: 100 paid for 100")
    raise Succeeded(f"{paid} paid for 100")


attack(work)
