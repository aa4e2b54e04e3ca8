"""Somebody who can write the files, without the key, puts an older ledger back: what was paid out since is paid once more."""

import shutil
import tempfile

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Refused


def work(punto, elsewhere):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.name_witness("safe", f"folder:{elsewhere}")
    house.open_table("T1")
    credential = house.terminal("T1", 7).credential
    house.buy("T1", 7, 50_000)
    house.stop()
    older = punto.folder / "older"
    shutil.copy(house.ledger, older)
    paid, compared = 0, None
    for _ in range(2):
        try:
            house.start()
        except RuntimeError as error:
            raise Stopped(str(error).strip().splitlines()[0])
        house.tokens.clear()
        compared = house.compared("confirmed", "contested")
        try:
            number, _ = house.ticket(house.terminal("T1", 7, credential), 7)
            paid += house.pay(number)
        except (Refused, RuntimeError) as refused:
            if not paid:
                raise RuntimeError(f"it was never paid: {refused}") from refused
            held = ", ".join(compared["no_further_round"]) if compared else "not compared"
            raise Stopped(f"{paid} paid for 50000; a folder elsewhere has the later history ({held}): {refused}")
        house.stop()
        shutil.copy(older, house.ledger)
    if paid > 50_000:
        raise Succeeded(f"{paid} paid for 50000; the audit finds {'nothing' if punto.audit(house.ledger)[0] else 'something'}")
    raise Stopped("paid once")


with tempfile.TemporaryDirectory(prefix="punto-safe-") as safe:
    attack(lambda punto: work(punto, safe))
