"""An Administrator chooses a password that anybody would guess first."""

from lib.house import House, password
from lib.punto import Stopped, Succeeded, attack

GUESSES = ["password1234", "Passw0rd2026!", "qwertyuiop123", "aaaaaaaaaaaa", "123456789012", "casino123456", "letmein12345"]


def work(punto):
    house = House(punto)
    first, refused = house.administrators[0], []
    for guess in GUESSES:
        body = {"old": password(first), "password": guess}
        status, told = house.http(first).ask("PUT", "/api/password", body)
        if status < 300:
            house.sign_in(first, guess)
            raise Succeeded(f"`{guess}` signs in")
        refused.append(told["error"]["code"])
    raise Stopped(", ".join(sorted(set(refused))))


attack(work)
