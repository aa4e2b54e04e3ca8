"""A Cashier makes a patron's ticket void: alone, then with a Dealer as second person."""

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.hire("dealer-1", "dealer")
    house.open_table("T1")
    terminal = house.terminal("T1", 7)
    house.buy("T1", 7, 50_000)
    number, _ = house.ticket(terminal, 7)
    cashier, tried = house.http("cas-1"), []
    for second in ("cas-1", "dealer-1"):
        if punto.is_first:
            given = {"person": second, "password": password(second)}
            approval = house.http(second).must("POST", "/api/approvals", given)["approval"]
            status, told = cashier.post(f"/api/tickets/{number}/void", {"approval": approval, "reason": "torn"})
        else:
            status, told = cashier.post(f"/api/tickets/{number}/void/pending", {"second": second, "reason": "torn"})
            if status < 300:
                house.sign(told, second)
                status, told = cashier.post(f"/api/tickets/{number}/void", {"pending": told["pending"]})
        tried.append(f"with {second}: {status} {told}")
        if cashier.must("GET", f"/api/tickets/{number}")["state"] == "void":
            raise Succeeded(f"the ticket is void, agreed to by {second}")
    raise Stopped("; ".join(tried))


attack(work)
