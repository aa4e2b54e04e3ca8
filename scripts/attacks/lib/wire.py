"""HTTP and WebSocket, as much of them as the server speaks."""

import base64
import http.client
import json
import os
import select
import socket
import struct
import time


class Refused(Exception):
    """An order that was not carried out, with the answer."""


class Http:
    """Requests with a token, or with none."""

    def __init__(self, address, token=None):
        self.address, self.token, self.timeout = address, token, 60

    def ask(self, method, path, body=None, headers=None):
        """Status and answer: JSON where it is JSON, else text."""
        shown = {"content-type": "application/json"} if body is not None else {}
        if self.token:
            shown["authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection(*self.address, timeout=self.timeout)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, {**shown, **(headers or {})})
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
        finally:
            connection.close()
        try:
            return answer.status, json.loads(text) if text else None
        except ValueError:
            return answer.status, text

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body):
        return self.ask("POST", path, body)

    def must(self, method, path, body=None):
        status, answer = self.ask(method, path, body)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer


class Screen:
    """A screen at a table, over its WebSocket."""

    def __init__(self, address, table, screen, by=None, device=None, session=None, timeout=30):
        self.by, self.replies, self.events, self.view, self.goodbye = by, {}, [], {}, None
        self.buffer = b""
        self.stream = socket.create_connection(address, timeout)
        nonce = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET /api/socket HTTP/1.1\r\nhost: {address[0]}:{address[1]}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-version: 13\r\nsec-websocket-key: {nonce}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.read()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode("utf-8", "replace"))
        hello = {"table": table, "screen": screen}
        hello.update({name: value for name, value in (("device", device), ("session", session)) if value})
        self.say({"hello": hello})
        self.until(lambda: self.view, "a view")

    def read(self):
        data = self.stream.recv(65536)
        if not data:
            raise ConnectionError(f"it hung up: {self.goodbye}")
        return data

    def say(self, message, opcode=1):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        mask = os.urandom(4)
        length = len(data)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack(">H", length))
        self.stream.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def frame(self):
        """A whole frame out of what was read, if there is one."""
        data = self.buffer
        if len(data) < 2:
            return None
        length, at = data[1] & 0x7F, 2
        if length == 126:
            if len(data) < 4:
                return None
            length, at = struct.unpack(">H", data[2:4])[0], 4
        elif length == 127:
            if len(data) < 10:
                return None
            length, at = struct.unpack(">Q", data[2:10])[0], 10
        if len(data) < at + length:
            return None
        self.buffer = data[at + length:]
        return data[0] & 0x0F, data[at:at + length]

    def hear(self, seconds=0.0):
        """Takes in what comes within that time."""
        end = time.monotonic() + seconds
        while True:
            while frame := self.frame():
                self.take(*frame)
            left = end - time.monotonic()
            readable, _, _ = select.select([self.stream], [], [], max(0.0, left))
            if not readable:
                return
            self.buffer += self.read()

    def take(self, opcode, data):
        if opcode == 9:
            self.say(data, opcode=10)
        if opcode != 1:
            return
        told = json.loads(data)
        if "welcome" in told:
            self.device, self.last = told["welcome"]["device"], told["welcome"]["last"]
        elif "view" in told:
            self.view = told["view"]
        elif "frame" in told:
            self.events += told["frame"]["events"]
            self.view.update(told["frame"].get("view", {}))
        elif "reply" in told:
            self.replies[told["reply"]["to"]["n"]] = told["reply"]
        elif "goodbye" in told:
            self.goodbye = told["goodbye"]

    def until(self, is_so, what, within=30.0):
        end = time.monotonic() + within
        while not (answer := is_so()):
            if time.monotonic() > end:
                raise TimeoutError(f"no {what} within {within} s")
            self.hear(0.05)
        return answer

    def reply(self, command, round=None, by=None, pending=None, approvals=None, within=30.0):
        """Gives an order; the whole reply."""
        self.last += 1
        order = {"id": {"device": self.device, "n": self.last}, "by": by or self.by, "at": 0, "command": command}
        if round is not None:
            order["round"] = round
        if pending is not None:
            self.say({"approved": {"order": order, "pending": pending}})
        elif approvals is not None:
            self.say({"approved": {"order": order, "approvals": approvals}})
        else:
            self.say({"order": order})
        return self.until(lambda: self.replies.get(self.last), "reply", within)

    def order(self, command, **options):
        """Gives an order; its answer: `{"done": …}`, `{"refused": …}`, `{"denied": …}` or a word."""
        return self.reply(command, **options)["answer"]

    def must(self, command, **options):
        reply = self.reply(command, **options)
        if "done" not in reply["answer"]:
            raise Refused(f"{command['do']}: {reply['answer']}")
        return reply

    def close(self):
        self.stream.close()
