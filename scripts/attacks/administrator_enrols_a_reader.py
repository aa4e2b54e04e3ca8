"""One Administrator enrols a card reader at a table whose cards are software's, and says which cards come."""

import time

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.wire import Refused, Screen

def natural_tie(first):
    """The three cards after the first that make nine against nine."""
    value = "A23456789".find(first[0]) + 1
    return ["9c", f"{'KA23456789'[9 - value]}d", "Kc"]


def work(punto):
    # Software deals as quickly as people like it.
    house = House(punto, pace="1")
    house.hire("cas-1", "cashier")
    house.open_table("T1")
    friend = house.terminal("T1", 7)
    house.buy("T1", 7, 10_000)
    first = house.http(house.administrators[0])
    status, told = first.post("/api/devices", {"device": "reader-1", "kind": {"reader": {"table": "T1"}}})
    if status >= 300:
        raise Stopped(f"{status} {told}")
    reader = Screen(house.address, "T1", "reader", {"as": "house"}, device=told["credential"])
    friend.until(lambda: friend.view.get("phase") and "place-wager" not in friend.view["own"].get("lacks", []), "bets that are open", 60)
    end = time.monotonic() + 60
    while True:
        try:
            friend.must({"do": "place-wager", "patron": 7, "bet": "tie", "stake": 1_000}, round=friend.view["round"])
            break
        except Refused as refused:
            if time.monotonic() > end:
                raise Stopped(refused)
            friend.hear(0.5)
    friend.until(lambda: any(it["event"] == "bets-closed" for it in friend.events), "the end of bets", 60)
    drawn = lambda: [it["card"] for it in friend.events if it["event"] == "card-drawn"]
    chosen = natural_tie(friend.until(drawn, "card", 60)[0])
    answers = [reader.order({"do": "draw-card", "card": card, "source": "read"}) for card in chosen]
    over = lambda: next((it for it in friend.events if it["event"] in ("round-settled", "round-voided")), None)
    ended = friend.until(over, "end of the Round", 60)
    if ended["event"] == "round-settled" and ended["result"]["cards"][1:4] == chosen:
        number, _ = house.ticket(friend, 7)
        paid = house.pay(number)
        house.stop()
        clean, said = punto.audit(house.ledger)
        found = "nothing" if clean else " ".join(said.split())
        raise Succeeded(f"chosen cards in a Round of software's: {' '.join(drawn())}; {paid} paid for 10000; the audit finds {found}")
    raise Stopped(f"{answers}; {ended.get('result') or ended}")


attack(work)
