"""Somebody appends records that are well chained but make no sense, to keep the audit from finding anything else."""

import copy
import shutil

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.store import Store

#: Events that no table could have caused, each in an entry of its own.
NONSENSE = [
    {"event": "round-settled", "round": 9, "result": {"cards": []}, "lines": [], "house": 0},
    {"event": "credits-bought", "patron": 7, "amount": 9007199254740991, "credits": 9007199254740991},
    {"event": "ticket-redeemed", "patron": 7, "ticket": "0000-0000-0000-0000-0000", "amount": 9007199254740991, "credits": 0},
    {"event": "cashed-out", "patron": 7, "ticket": "0000-0000-0000-0000-0000", "amount": 9007199254740991, "expires": 0},
    {"event": "unclaimed-paid", "patron": 7, "amount": 9007199254740991},
    {"event": "unclaimed-kept", "patron": 7, "amount": 9007199254740991},
    {"event": "float-closed", "counted": 9007199254740991, "expected": 0},
    {"event": "filled", "amount": 9007199254740991, "slip": "s"},
    {"event": "bets-closed", "round": 9, "parts": []},
    {"event": "bets-opened", "round": 4294967295, "shoe": 1, "closes_at": 18446744073709551615},
    {"event": "card-drawn", "card": "As", "source": "read", "covered": False},
    {"event": "cards-turned", "cards": [0, 255], "shown": ["As", "As"]},
    {"event": "card-corrected", "at": 0, "was": "As", "card": "Ad", "supervised": False},
    {"event": "card-misread", "at": 0, "card": "As"},
    {"event": "cards-confirmed", "cards": ["As"] * 30},
    {"event": "wager-registered", "patron": 7, "bet": "banker", "stake": 0, "amount": 9007199254740991},
    {"event": "walked-away", "patron": 7},
    {"event": "play-resumed"},
    {"event": "interruption-resolved", "established": True, "because": []},
    {"event": "round-voided", "round": 9, "kind": "technical-interruption", "returns": [], "changes": []},
    {"event": "table-closed"},
]


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 100)
    house.stop()
    fell, found = [], 0
    with Store(house.ledger) as store:
        pattern = store.entry_with("table/T1", "credits-bought")
    for event in NONSENSE:
        for times in (1, 2, 3):
            forged = punto.folder / "forged.punto"
            shutil.copy(house.ledger, forged)
            with Store(forged) as store:
                for n in range(times):
                    entry = copy.deepcopy(pattern)
                    entry["order"]["id"]["n"] += 1 + n
                    entry["events"] = [event]
                    store.append("table/T1", entry)
            done = punto.run("audit", forged)
            if "panicked" in done.stderr or done.returncode not in (0, 1, 2):
                fell.append(f"{event['event']} x{times}")
            elif done.returncode == 1:
                found += 1
            else:
                raise Succeeded(f"{event['event']}: the audit says {done.returncode}: {done.stdout}{done.stderr}")
    if fell:
        raise Succeeded(f"the audit panics on {', '.join(fell)}")
    raise Stopped(f"{found} forgeries, each found")


attack(work)
