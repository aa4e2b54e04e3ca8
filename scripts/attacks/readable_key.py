"""The signing key can be read by a group, and the server uses it as if nothing were wrong."""

from lib.house import House
from lib.punto import Stopped, Succeeded, attack


def work(punto):
    house = House(punto)
    house.stop()
    key = punto.folder / "floor.punto.key"
    key.chmod(0o640)
    try:
        house.start()
    except RuntimeError as error:
        raise Stopped(str(error).strip().splitlines()[0])
    raise Succeeded("the server signs with a key that others have read")


attack(work)
