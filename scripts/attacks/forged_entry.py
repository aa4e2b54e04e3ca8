"""Somebody who can write to the store appends "credits bought", well chained; the credits are cashed out and paid."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.store import Store
from lib.wire import Refused


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    credential = house.terminal("T1", 7).credential
    house.buy("T1", 7, 100)
    house.stop()
    with Store(house.ledger) as store:
        entry = store.entry_with("table/T1", "credits-bought")
        entry["order"]["id"]["n"] += 1
        entry["order"]["command"]["amount"] = 5_000_000
        entry["events"] = [{"event": "credits-bought", "patron": 7, "amount": 5_000_000, "credits": 5_000_100}]
        store.append("table/T1", entry)
    house.start()
    terminal = house.terminal("T1", 7, credential)
    try:
        number, _ = house.ticket(terminal, 7)
    except Refused as refused:
        raise Stopped(f"{refused}; entries put aside: {Store(house.ledger).rows('SELECT count(*) FROM put_aside')[0][0]}")
    paid = house.pay(number)
    house.stop()
    clean, _ = punto.audit(house.ledger)
    if paid == 100:
        raise Stopped("only what was bought was paid")
    raise Succeeded(f"{paid} paid for 100; the entry is signed now, and the audit finds {'nothing' if clean else 'something'}")


attack(work)
