"""A manager adjusts money to a patron who never bet, with the Dealer as second person."""

from lib.punto import Stopped, Succeeded, attack, events, refusals

SCRIPT = """\
# Patron 7 plays; patron 99 never did.
table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=9000
dealer: open-bets
patron 7: bet banker 500 box=2 standing
dealer: close-bets
dealer: draw 2s 9d 3h Kd
dealer: confirm-result
dealer: report uncovered words="chips under box 3"
shift-manager: rule 1 adjust adjustments='[{"patron":99,"owed":"to-patron","amount":5000}]' second=dealer reason="seen on camera"
shift-manager: rule 1 adjust adjustments='[{"patron":99,"owed":"to-patron","amount":5000}]' second=manager reason="seen on camera"
patron 99: cash-out patron=99
"""


def work(punto):
    played = punto.play(SCRIPT)
    for cashed in events(played, "cashed-out"):
        raise Succeeded(f"patron 99, who never bet, has a ticket over {cashed['amount']}")
    raise Stopped(refusals(played))


attack(work)
