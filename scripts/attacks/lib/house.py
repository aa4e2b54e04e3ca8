"""A house with real people, open on loopback: founded, staffed, with a table and terminals, in either release."""

import base64
import hashlib
import hmac
import os
import struct
import time

from .punto import Server, wait_for
from .wire import Http, Screen

WORDS = "heron river amber violet copper meadow lantern granite orchard thunder pebble harvest willow comet saddle".split()

#: An electronic table whose cards are software's.
ELECTRONIC = {
    "game": "ncb-etg", "layout": "terminal", "decks": 8, "cards": "software", "betting_seconds": 10,
    "other_bets": {"minimum": 100, "maximum": 10_000_000},
}


def password(person):
    """A password that nobody else has."""
    digest = hashlib.sha256(person.encode()).digest()
    return " ".join(WORDS[byte % len(WORDS)] for byte in digest[:6])


def code_of(secret):
    """The code that an app shows now (RFC 6238)."""
    seed = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    digest = hmac.new(seed, struct.pack(">Q", int(time.time()) // 30), "sha1").digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class House:
    """A house. `administrators` are the ids of its two Administrators, which the releases name differently."""

    def __init__(self, punto, name="floor", pace="flat-out", **server):
        self.punto, self.ledger, self.pace, self.options = punto, punto.folder / f"{name}.punto", pace, server
        self.tokens, self.administrators, self.halves, self.codes = {}, [], {}, {}
        self.is_witnessed = False
        punto.must("ledger", "found", self.ledger, "--kind", "house")
        self.start()
        for link in self.server.links(1 if punto.is_first else 2):
            self.founder(link)
        if punto.is_first:
            self.hire("administrator-2", "administrator")
            self.administrators.append("administrator-2")

    def start(self, **options):
        """Opens it, also again: sessions of before go on."""
        self.server = Server(self.punto, self.ledger, "--pace", self.pace, **{**self.options, **options})

    @property
    def address(self):
        return self.server.address

    def founder(self, link):
        """An Administrator chooses a password by the link that the first start printed."""
        names = ["administrator"] if self.punto.is_first else ["administrator-1", "administrator-2"]
        person = names[len(self.administrators)]
        self.choose(link, None, password(person))
        self.administrators.append(person)

    def choose(self, link, code, words):
        body = {"invitation": link, "password": words}
        if code:
            body["code"] = code
        chosen = Http(self.address).must("POST", "/api/password", body)
        if chosen and chosen.get("must_enrol"):
            self.enrol_factor(chosen["person"], words)
        return chosen

    def enrol_factor(self, person, words):
        """Sets up a second factor. Its recovery codes are used afterwards: codes of an app are good once in half a minute."""
        first = Http(self.address, self.sign_in(person, words))
        offer = first.must("POST", "/api/factor/offer", {"password": words})
        told = first.must("POST", "/api/factor", {"code": code_of(offer["secret"].replace(" ", ""))})
        self.codes[person] = told["codes"]

    def http(self, person=None):
        """As somebody who is signed in; as nobody."""
        if person is None:
            return Http(self.address)
        if person not in self.tokens:
            self.tokens[person] = self.sign_in(person)
        return Http(self.address, self.tokens[person])

    def sign_in(self, person, words=None):
        body = {"person": person, "password": words or password(person), "token": True}
        if codes := self.codes.get(person):
            body["code"] = codes.pop()
        return Http(self.address).must("POST", "/api/session", body)["token"]

    def sign(self, pending, *people):
        """Has people sign what waits, each with their own password."""
        for person in people:
            body = {"pending": pending["pending"], "person": person, "password": password(person)}
            self.http(person).must("POST", "/api/approvals", body)

    def hire(self, person, role):
        """Takes somebody on as the release wants it done, and lets them choose their password."""
        first = self.administrators[0]
        what = {"person": person, "name": person, "role": role}
        if self.punto.is_first:
            told = self.http(first).must("POST", "/api/staff", what)
            return self.choose(told["invitation"], None, password(person))
        second = self.administrators[1]
        asked = {"what": {"hire": what}, "second": second, "reason": "as planned"}
        pending = self.http(first).must("POST", "/api/staffing", asked)
        self.sign(pending, second)
        told = self.http(first).must("POST", "/api/staffing/record", {"pending": pending["pending"]})
        codes = self.http(second).must("GET", "/api/staffing/codes")
        code = next(it["code"] for it in codes if it["person"] == person)
        return self.choose(told["invitation"], code, password(person))

    def approve_rules(self, game, software_cards=True):
        """Puts the approval of a shipped rule book on record."""
        if self.punto.is_first:
            return
        first, second = self.administrators
        rules = self.http(first).must("GET", "/api/rules")["rules"]
        book = next(it for it in rules if it["game"] == game)
        asked = {
            "game": game, "version": book["version"], "digest": book["digest"], "authority": "the regulator",
            "reference": "GRA-1", "operator": "the house", "document": "the rules", "in_force": "2024-01-01T00:00:00+08:00",
            "software_cards": software_cards, "compared": "all of it", "second": second,
        }
        pending = self.http(first).must("POST", "/api/rules/approvals", asked)
        self.sign(pending, second)
        self.http(first).must("POST", "/api/rules/record", {"pending": pending["pending"]})

    def open_table(self, table, settings=None):
        settings = {"table": table, **(settings or ELECTRONIC)}
        first, second = self.administrators
        if self.punto.is_first:
            return self.http(first).must("POST", "/api/tables", {"settings": settings})
        settings["posts"] = "held"
        self.approve_rules(settings["game"])
        text = self.punto.must("rulebook", "show", settings["game"], "--source")
        command = {"do": "open-table", "settings": settings, "rulebook": text, "second": second}
        pending = self.http(first).must("POST", f"/api/tables/{table}/pending", {"by": first, "command": command})
        self.sign(pending, first, second)
        body = {"settings": settings, "rulebook": text, "second": second, "pending": pending["pending"]}
        return self.http(first).must("POST", "/api/tables", body)

    def name_witness(self, witness, address, key=None):
        """Two people name a witness, which confirms this ledger; release 0.1.0 knows none."""
        if self.punto.is_first:
            return
        first, second = self.administrators
        asked = {"witness": witness, "address": address, "in_use": True, "second": second, "reason": "as planned"}
        if key:
            asked["key"] = key
        pending = self.http(first).must("POST", "/api/witnesses/pending", asked)
        self.sign(pending, second)
        self.http(first).must("POST", "/api/witnesses", {"pending": pending["pending"]})
        self.is_witnessed = True
        self.compared("confirmed")

    def compared(self, *wanted):
        """`/api/health`, once the witnesses have said one of these; nothing where none is named."""
        if not self.is_witnessed:
            return None
        health = lambda: self.http().must("GET", "/api/health")
        # What a start waits for is let go of after that.
        is_told = lambda it: it["history"] in wanted and "history-unwitnessed" not in it.get("no_further_round", [])
        told = wait_for(lambda: is_told(it := health()) and it, within=20)
        if not told:
            raise RuntimeError(f"no witness has answered: {health()}")
        return told

    def enrol(self, device, kind):
        """Its credential. What the Administrator alone has of it is kept in `halves`."""
        first = self.administrators[0]
        if self.punto.is_first:
            self.halves[device] = self.http(first).must("POST", "/api/devices", {"device": device, "kind": kind})["credential"]
            return self.halves[device]
        second = self.administrators[1]
        asked = {"device": device, "kind": kind, "second": second, "reason": "as planned"}
        pending = self.http(first).must("POST", "/api/enrolments", asked)
        self.sign(pending, second)
        told = self.http(first).must("POST", "/api/enrolments/record", {"pending": pending["pending"]})
        codes = self.http(second).must("GET", "/api/enrolments/codes")
        self.halves[device] = told["credential"]
        return f"{told['credential']}.{next(it['code'] for it in codes if it['device'] == device)}"

    def terminal(self, table, patron, credential=None):
        credential = credential or self.enrol(f"t-{table}-{patron}", {"terminal": {"table": table, "patron": patron}})
        screen = Screen(self.address, table, "terminal", {"as": "patron", "patron": patron}, device=credential)
        screen.credential = credential
        return screen

    def cage(self, table, person, **options):
        self.http(person)
        return Screen(self.address, table, "cage", {"as": "cashier", "person": person}, session=self.tokens[person], **options)

    def pit(self, table, person, post):
        self.http(person)
        by = {"as": "staff", "person": person, "post": post}
        return Screen(self.address, table, "pit", by, session=self.tokens[person])

    def buy(self, table, patron, amount, cashier="cas-1"):
        cage = self.cage(table, cashier)
        cage.must({"do": "buy-credits", "patron": patron, "amount": amount})
        cage.close()

    def ticket(self, terminal, patron):
        """Cashes out; the number on the ticket, and its serial where it has one."""
        reply = terminal.must({"do": "cash-out", "patron": patron})
        if printed := reply.get("printed"):
            return printed["number"], printed["ticket"]
        return terminal.until(lambda: cashed(terminal), "ticket"), None

    def pay(self, number, cashier="cas-1"):
        """Presents a number at the cage; what was paid."""
        return self.http(cashier).must("POST", f"/api/tickets/{number}/pay")["amount"]

    def stop(self):
        self.server.stop()

    def restart(self, **options):
        self.server.kill()
        self.start(**options)


def cashed(screen):
    """The ticket of the last cash-out that a screen was told about."""
    found = [event["ticket"] for event in screen.events if event["event"] == "cashed-out"]
    return found[-1] if found else None
