"""The credential of a console, without anybody signed in at it, reads the house over HTTP."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Http


def work(punto):
    house = House(punto)
    house.open_table("T1")
    console, nobody = Http(house.address, house.enrol("console-1", {"console": {"table": "T1"}})), house.http()
    paths, read = nobody.must("GET", "/api/openapi.json")["paths"], []
    for path, methods in paths.items():
        if "get" not in methods or path == "/api/socket":
            continue
        asked = path.replace("{table}", "T1").replace("{round}", "1").replace("{game}", "ncb-etg")
        if nobody.get(asked)[0] in (401, 403) and console.get(asked)[0] == 200:
            read.append(asked)
    if read:
        raise Succeeded(f"it reads {', '.join(read)}")
    raise Stopped("it reads nothing that nobody else may read")


attack(work)
