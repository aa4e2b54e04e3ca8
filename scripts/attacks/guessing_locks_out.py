"""A stranger guesses somebody's password a few times, and its owner cannot sign in any more."""

import http.client
import json

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Http


def work(punto):
    house = House(punto)
    house.hire("dealer-1", "dealer")
    # The owner has signed in with this browser before: it has whatever cookies it was given.
    status, cookies = browser(house, None)
    if status != 200:
        raise RuntimeError("the owner cannot sign in at all")
    for guess in range(8):
        Http(house.address).post("/api/session", {"person": "dealer-1", "password": f"wrong guess number {guess}"})
    status, _ = browser(house, cookies)
    stranger, _ = Http(house.address).post("/api/session", {"person": "dealer-1", "password": password("dealer-1")})
    if status == 200:
        raise Stopped(f"the owner signs in where they did before; strangers have used up their share ({stranger})")
    raise Succeeded(f"the right password is refused with {status}")


def browser(house, cookies):
    """Signs in as a browser does; status and cookies."""
    connection = http.client.HTTPConnection(*house.address, timeout=30)
    headers = {"content-type": "application/json", **({"cookie": cookies} if cookies else {})}
    body = json.dumps({"person": "dealer-1", "password": password("dealer-1")})
    connection.request("POST", "/api/session", body, headers)
    answer = connection.getresponse()
    answer.read()
    given = [value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
    # Their session is over; what else the browser was given, it shows again.
    given = [cookie for cookie in given if not cookie.startswith("punto-session=")]
    return answer.status, "; ".join(given)


attack(work)
