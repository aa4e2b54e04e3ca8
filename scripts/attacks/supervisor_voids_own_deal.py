"""A Pit Supervisor deals, sees the result, reports an irregularity and voids the Round, all alone."""

from lib.punto import Stopped, Succeeded, attack, events, refusals

SCRIPT = """\
# A friend has bet on the Banker, and the Player's natural nine lies on the felt.
table wu-song A
supervisor: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=9000
supervisor: open-bets
patron 7: bet banker 500 box=2 standing
supervisor: close-bets
supervisor: draw 9s 2d Kh 4c
supervisor: report not-shuffled
supervisor: rule 1 void reason="in their order"
"""


def work(punto):
    played = punto.play(SCRIPT)
    for voided in events(played, "round-voided"):
        returned = sum(it["amount"] for it in voided["returns"])
        raise Succeeded(f"the lost Round is void on one person's word, {returned} go back to the friend")
    raise Stopped(refusals(played))


attack(work)
