"""A stranger opens connections, sends a byte now and then, and nobody else gets in."""

import resource
import select
import socket
import threading
import time

from lib.house import House
from lib.punto import Stopped, Succeeded, attack, wait_for
from lib.wire import Http


#: More than the server has file descriptors.
MANY = 1_100


def work(punto):
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, max(4_096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    house = House(punto, limit_files=1_024)
    held, over = [], threading.Event()

    def hold():
        """Keeps as many as the server lets it have; whoever is cut off comes again."""
        while not over.is_set():
            for connection in list(held):
                try:
                    connection.sendall(b"x")
                    poll = select.poll()
                    poll.register(connection, select.POLLIN)
                    if poll.poll(0) and not connection.recv(1):
                        raise OSError("closed")
                except OSError:
                    held.remove(connection)
                    connection.close()
            while len(held) < MANY and not over.is_set():
                try:
                    # Another address than that of the machine itself.
                    connection = socket.create_connection(house.address, 1, ("127.0.0.2", 0))
                    connection.sendall(b"GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ")
                    held.append(connection)
                except OSError:
                    break
            over.wait(1)

    threading.Thread(target=hold, daemon=True).start()
    # Longer than anything slow should be let go on.
    time.sleep(40)

    def newcomer():
        http = Http(house.address)
        http.timeout = 3
        try:
            return http.get("/api/health")[0] == 200
        except OSError:
            return False

    start = time.monotonic()
    let_in = wait_for(newcomer, within=15)
    waited, connections = time.monotonic() - start, len(held)
    over.set()
    if let_in:
        raise Stopped(f"with {connections} connections held, somebody else gets in after {waited:.1f} s")
    raise Succeeded(f"with {connections} connections held, nobody else gets in within 15 s")


attack(work)
