"""A real mail server (aiosmtpd) that does as it is told, and writes down what it got.

smtp_server.py DIRECTORY PORT [CERTIFICATE KEY]

DIRECTORY/behaviour.json says what it does from now on:
  {"rcpt": "450 4.2.1 later"}   answers a recipient so; the same with "data"
  {"data": "hold"}              does not answer until the behaviour changes; DIRECTORY/held is there meanwhile
  {"data": "drop"}              hangs up without an answer
  {"login": ["user", "pass"]}   lets nobody else in
Every mail that it has taken is DIRECTORY/mail-N.json, parsed by Python's own email package, defects and all.
With a certificate it speaks TLS from the first byte.
"""

import asyncio
import email
import email.policy
import json
import os
import signal
import ssl
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult

PAUSE = 0.01


class Server:
    def __init__(self, directory):
        self.directory = directory
        # Started again, it goes on counting.
        self.taken = len(list(directory.glob("mail-*.json")))

    def behaviour(self):
        try:
            return json.loads((self.directory / "behaviour.json").read_text())
        except FileNotFoundError:
            return {}

    async def told(self, step):
        """What to answer at this step, or None for a plain yes."""
        while self.behaviour().get(step) == "hold":
            (self.directory / "held").touch()
            await asyncio.sleep(PAUSE)
        (self.directory / "held").unlink(missing_ok=True)
        return self.behaviour().get(step)

    def authenticate(self, server, session, envelope, mechanism, data):
        given = [data.login.decode(), data.password.decode()] if data else None
        return AuthResult(success=given == self.behaviour().get("login"))

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = await self.told("rcpt")
        if answer is not None:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server, session, envelope):
        answer = await self.told("data")
        if answer == "drop":
            server.transport.abort()
            return "421 never seen"
        if answer is not None:
            return answer
        self.taken += 1
        self.write(f"mail-{self.taken}.json", described(envelope))
        return f"250 2.0.0 Ok: queued as {self.taken}"

    def write(self, name, content):
        """Whole or not at all."""
        part = self.directory / f".{name}"
        part.write_text(json.dumps(content))
        part.rename(self.directory / name)


def described(envelope):
    raw = envelope.original_content
    # Strict: a defect is an error. It is told rather than raised, so that a test can show it.
    message = email.message_from_bytes(raw, policy=email.policy.default)
    defects = [str(defect) for part in message.walk() for defect in part.defects]
    for part in message.walk():
        for value in part.values():
            defects += [str(defect) for defect in value.defects]
    try:
        email.message_from_bytes(raw, policy=email.policy.strict).as_bytes()
    except Exception as error:  # noqa: BLE001 - whatever it is, the mail is not valid
        defects.append(f"strict: {error!r}")
    parts = [part for part in message.walk() if not part.is_multipart()]
    return {
        "from": envelope.mail_from,
        "to": envelope.rcpt_tos,
        "headers": [[name, str(value)] for name, value in message.items()],
        "content_type": message.get_content_type(),
        "parts": [[part.get_content_type(), part.get_content()] for part in parts],
        "defects": defects,
        "longest_line": max(len(line) for line in raw.split(b"\r\n")),
        "bare_newlines": raw.replace(b"\r\n", b"").count(b"\n"),
        "bytes": len(raw),
        "is_ascii": raw.isascii(),
    }


async def main(directory, port, certificate=None, key=None):
    server = Server(Path(directory))
    context = None
    if certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
    needs_login = "login" in server.behaviour()

    def connection():
        # TLS from the first byte is not seen by aiosmtpd, which would wait for STARTTLS before a login.
        return SMTP(
            server,
            hostname="mail.test",
            authenticator=server.authenticate,
            auth_required=needs_login,
            auth_require_tls=False,
            loop=asyncio.get_running_loop(),
        )

    loop = asyncio.get_running_loop()
    listening = await loop.create_server(connection, "127.0.0.1", int(port), ssl=context)
    (server.directory / "ready").touch()
    await listening.serve_forever()


if __name__ == "__main__":
    # A shell that starts this in the background has it ignore SIGINT, and Python would leave that so.
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))
    asyncio.run(main(*sys.argv[1:]))
