"""A stranger with a few hundred addresses sends wrong passwords without end, and nobody on the staff can sign in."""

import http.client
import json
import threading
import time

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack


def ask(house, person, words, cookies=None, source=None, timeout=60):
    """Tries a password; status and the cookie by which this browser is known."""
    connection = http.client.HTTPConnection(*house.address, timeout=timeout, source_address=source and (source, 0))
    headers = {"content-type": "application/json", **({"cookie": cookies} if cookies else {})}
    connection.request("POST", "/api/session", json.dumps({"person": person, "password": words}), headers)
    answer = connection.getresponse()
    answer.read()
    given = [value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
    return answer.status, "; ".join(cookie for cookie in given if not cookie.startswith("punto-session="))


def work(punto):
    house = House(punto)
    house.hire("dealer-1", "dealer")
    _, cookies = ask(house, "dealer-1", password("dealer-1"))
    over, tried = threading.Event(), []

    def guess(source):
        while not over.is_set():
            try:
                tried.append(ask(house, f"nobody-{source.replace('.', '-')}", "a wrong password", source=source)[0])
            except OSError:
                over.wait(0.1)

    for n in range(2, 202):
        threading.Thread(target=guess, args=(f"127.0.0.{n}",), daemon=True).start()
    time.sleep(8)
    waits = []
    for _ in range(3):
        start = time.monotonic()
        try:
            # A browser is known by another cookie after each time.
            status, cookies = ask(house, "dealer-1", password("dealer-1"), cookies, timeout=10)
        except OSError as error:
            status = str(error)
        waits.append((status, round(time.monotonic() - start, 1)))
    over.set()
    if all(status == 200 for status, _ in waits):
        raise Stopped(f"{len(tried)} guesses meanwhile; the owner signed in within {max(wait for _, wait in waits)} s each time")
    raise Succeeded(f"{len(tried)} guesses meanwhile; the owner was told {waits}")


attack(work)
