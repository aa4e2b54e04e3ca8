"""Somebody who can write to the store makes up a ticket, and makes a used one good again; both are presented at the cage."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.store import Store, ticket_number


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 10_000)
    used, _ = house.ticket(terminal, 7)
    cashier = house.http("cas-1")
    cashier.must("POST", f"/api/tickets/{used}/pay")
    house.stop()
    made_up = ticket_number(4_711)
    with Store(house.ledger) as store:
        store.unlock()
        issued, expires = store.rows("SELECT issued, expires FROM ticket")[0]
        store.run("UPDATE ticket SET state = 'good'")
        store.run(
            "INSERT INTO ticket (no, amount, issued, expires, state) VALUES (?, 7000000, ?, ?, 'good')", made_up, issued, expires
        )
    house.start()
    cashier = house.http("cas-1")
    made_up, again = (cashier.ask("POST", f"/api/tickets/{number}/pay") for number in (made_up, used))
    if made_up[0] == 200 or again[0] == 200:
        raise Succeeded(f"made up: {made_up[1]}; used before: {again[1]}")
    raise Stopped(f"made up: {made_up[0]} {made_up[1]}; used before: {again[0]} {again[1]}")


attack(work)
