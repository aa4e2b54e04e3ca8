"""Somebody who can write the files, without the key, puts an older ledger back: what was paid out since is paid once more."""

import shutil

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Refused


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    credential = house.terminal("T1", 7).credential
    house.buy("T1", 7, 50_000)
    house.stop()
    older = punto.folder / "older"
    shutil.copy(house.ledger, older)
    paid = 0
    for _ in range(2):
        try:
            house.start()
        except RuntimeError as error:
            raise Stopped(str(error).strip().splitlines()[0])
        house.tokens.clear()
        try:
            number, _ = house.ticket(house.terminal("T1", 7, credential), 7)
            paid += house.pay(number)
        except (Refused, RuntimeError) as refused:
            raise Stopped(refused)
        house.stop()
        shutil.copy(older, house.ledger)
    if paid > 50_000:
        raise Succeeded(f"{paid} paid for 50000; the audit finds {'nothing' if punto.audit(house.ledger)[0] else 'something'}")
    raise Stopped("paid once")


attack(work)
