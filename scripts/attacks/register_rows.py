"""Somebody who can write the register puts their own password into another's row, and themselves in as an Administrator."""

import json

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack
from lib.store import Store
from lib.wire import Http


def work(punto):
    house = House(punto)
    house.hire("dealer-1", "dealer")
    house.hire("shift-1", "shift-manager")
    house.open_table("T1")
    house.stop()
    if punto.is_first:
        with Store(punto.folder / "floor.punto.people") as people:
            people.run("UPDATE staff SET password = (SELECT password FROM staff WHERE person = 'dealer-1') WHERE person = 'shift-1'")
            people.run(
                "INSERT INTO staff (person, name, role, enabled, password) "
                "SELECT 'adm-9', 'adm-9', 'administrator', 1, password FROM staff WHERE person = 'dealer-1'"
            )
    else:
        with Store(house.ledger) as store:
            rows = {kind: json.loads(body) for kind, body in store.rows("SELECT kind, body FROM register WHERE id = 'dealer-1'")}
            hashed, person = rows["password"], rows["person"]
            hashed["fact"]["person"] = "shift-1"
            store.run("UPDATE register SET body = ? WHERE kind = 'password' AND id = 'shift-1'", json.dumps(hashed))
            person["fact"].update(person="adm-9", name="adm-9", role="administrator")
            hashed["fact"]["person"] = "adm-9"
            store.run("INSERT INTO register SELECT 'person', 'adm-9', deed, ? FROM register WHERE kind = 'person' AND id = 'shift-1'", json.dumps(person))
            store.run("INSERT INTO register SELECT 'password', 'adm-9', 1, ?", json.dumps(hashed))
    house.start()
    tried = []
    for person in ("shift-1", "adm-9"):
        body = {"person": person, "password": password("dealer-1"), "token": True}
        status, told = Http(house.address).post("/api/session", body)
        if status == 200:
            _, staff = Http(house.address, told["token"]).get("/api/staff")
            tried.append(f"signed in as {person}, {told['role']}" + (", reads the staff" if isinstance(staff, list) else ""))
    if tried:
        raise Succeeded("; ".join(tried))
    # An honest Administrator still comes in, and sees it.
    house.tokens.clear()
    health = house.http().must("GET", "/api/health")
    raise Stopped(f"neither signs in; no further Round: {health.get('no_further_round')}")


attack(work)
