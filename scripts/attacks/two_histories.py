"""The host, with the key, keeps two histories that go on from the same ledger, and shows whichever it likes."""

import shutil

from lib.house import House
from lib.punto import Stopped, Succeeded, attack
from lib.witness import Witness


def work(punto):
    house = House(punto)
    house.hire("cas-1", "cashier")
    if not punto.is_first:
        witness = Witness(punto, house.ledger)
        house.name_witness("regulator", witness.url, witness.key)
    house.open_table("T1")
    house.terminal("T1", 7)
    house.buy("T1", 7, 100)
    house.stop()
    aside = punto.folder / "aside"
    shutil.copytree(punto.folder, aside, ignore=lambda folder, names: [name for name in names if not name.startswith("floor")])
    histories = []
    for amount in (1_000, 900_000):
        for file in aside.iterdir():
            shutil.rmtree(punto.folder / file.name, ignore_errors=True)
            copy = shutil.copytree if file.is_dir() else shutil.copy
            copy(file, punto.folder / file.name)
        try:
            house.start()
        except RuntimeError as error:
            raise Stopped(str(error).strip().splitlines()[0])
        house.tokens.clear()
        compared = house.compared("confirmed", "contested")
        house.buy("T1", 7, amount)
        house.stop()
        clean, said = punto.audit(house.ledger)
        size = next(line for line in punto.must("ledger", "checkpoint", house.ledger).splitlines() if line.startswith("size"))
        if compared and compared["history"] == "contested":
            noted = "says so" if "keeps another history" in said else "says nothing of it"
            raise Stopped(f"a witness server has the first; the second is held back ({', '.join(compared['no_further_round'])}); its audit {noted}")
        histories.append((size, clean))
    if all(clean for _, clean in histories):
        raise Succeeded(f"both audit clean, one after the other: {', '.join(size for size, _ in histories)} entries")
    raise Stopped("one of them does not audit clean")


attack(work)
