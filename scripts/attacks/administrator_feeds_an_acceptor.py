"""One Administrator enrols a terminal and a note acceptor, says that notes were taken, cashes out and is paid."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Refused, Screen

# Release 0.1.0 knows no acceptors: what succeeded is a build between the two, before devices took two people.


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    first = house.http(house.administrators[0])
    terminal = house.terminal("T1", 99)
    status, told = first.post("/api/devices", {"device": "notes-99", "kind": {"acceptor": {"table": "T1", "patron": 99}}})
    if status >= 300:
        raise Stopped(f"{status} {told}")
    by = {"as": "acceptor", "acceptor": "notes-99", "patron": 99}
    notes = Screen(house.address, "T1", "acceptor", by, device=told["credential"])
    try:
        for _ in range(5):
            notes.must({"do": "accept-note", "patron": 99, "amount": 100_000})
        number, _ = house.ticket(terminal, 99)
    except Refused as refused:
        raise Stopped(refused)
    paid = house.pay(number)
    first.must("DELETE", "/api/devices/notes-99")
    house.stop()
    clean, _ = punto.audit(house.ledger)
    raise Succeeded(f"{paid} paid, nothing brought; the audit finds {'nothing' if clean else 'something'}")


attack(work)
