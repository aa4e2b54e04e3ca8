"""A page from elsewhere has its own name point here (DNS rebinding) and reads the API as if it were this server's."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    house = House(punto)
    status, told = house.http().ask("GET", "/api/health", headers={"host": "attacker.example"})
    if status == 200 and told.get("kind"):
        raise Succeeded(f"it reads {told}")
    raise Stopped(f"{status} {told}")


attack(work)
