"""Somebody with the token of a session that its owner ended puts the file of sessions back as it was, and is signed in again."""

import shutil

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Http


def work(punto):
    file = punto.folder / ("floor.punto.people" if punto.is_first else "floor.punto.sessions")
    house = House(punto)
    house.hire("shift-1", "shift-manager")
    house.http("shift-1")
    token = house.tokens["shift-1"]
    house.stop()
    older = punto.folder / "older"
    shutil.copy(file, older)
    house.start()
    owner = Http(house.address, token)
    owner.must("DELETE", "/api/session")
    if owner.get("/api/session")[0] == 200:
        raise RuntimeError("signing out does nothing")
    house.stop()
    shutil.copy(older, file)
    house.start()
    status, told = Http(house.address, token).get("/api/session")
    if status == 200:
        raise Succeeded(f"signed in as {told['person']}, who signed out")
    raise Stopped(f"{status} {told}")


attack(work)
