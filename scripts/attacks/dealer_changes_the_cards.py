"""A Dealer alone reports an interruption and confirms other cards than were read: another side wins."""

from lib.punto import Stopped, Succeeded, attack, events, refusals

SCRIPT = """\
# A natural nine for the Player was read; a friend has bet on the Banker.
table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=9000
dealer: open-bets
patron 7: bet banker 500 box=2 standing
dealer: close-bets
dealer: draw 9s 2d Kh 4c
dealer: report technical-interruption
dealer: confirm-cards cards=[2s 9d 3h Kd]
dealer: confirm-result
"""


def work(punto):
    played = punto.play(SCRIPT)
    for settled in events(played, "round-settled"):
        paid = sum(line["to_patron"] for line in settled["lines"])
        if settled["result"]["winner"] == "banker" and paid > 500:
            raise Succeeded(f"the Player's natural nine was read, Banker wins, {paid} go to the friend")
    raise Stopped(refusals(played))


attack(work)
