"""A real mail server (aiosmtpd) that behaves as a test sets, and records the mails it accepts.

smtp_server.py DIRECTORY PORT [CERTIFICATE KEY]

DIRECTORY/behaviour.json sets the behaviour:
  {"rcpt": "450 4.2.1 later"}   replies to RCPT with this text; the same for "data"
  {"data": "hold"}              does not reply until the behaviour changes; DIRECTORY/held exists meanwhile
  {"data": "take and hold"}     the same, after the mail is accepted
  {"data": "drop"}              closes the connection without a reply
  {"login": ["user", "pass"]}   requires this login
Each accepted mail is written to DIRECTORY/mail-N.json, parsed by Python's email package, with its defects.
With a certificate the server uses implicit TLS. DIRECTORY/ready exists once the server listens.
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

POLL_INTERVAL = 0.01


class Server:
    def __init__(self, directory):
        self.directory = directory
        # After a restart the numbers continue.
        self.accepted = len(list(directory.glob("mail-*.json")))

    def behaviour(self):
        try:
            return json.loads((self.directory / "behaviour.json").read_text())
        except FileNotFoundError:
            return {}

    async def reply_to(self, step):
        """The reply to this step, or None to accept it."""
        while self.behaviour().get(step) == "hold":
            (self.directory / "held").touch()
            await asyncio.sleep(POLL_INTERVAL)
        (self.directory / "held").unlink(missing_ok=True)
        return self.behaviour().get(step)

    def authenticate(self, server, session, envelope, mechanism, data):
        given = [data.login.decode(), data.password.decode()] if data else None
        return AuthResult(success=given == self.behaviour().get("login"))

    async def handle_RCPT(self, server, session, envelope, address, options):
        reply = await self.reply_to("rcpt")
        if reply is not None:
            return reply
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server, session, envelope):
        if self.behaviour().get("data") == "take and hold":
            reply = self.accept(envelope)
            while self.behaviour().get("data") == "take and hold":
                (self.directory / "held").touch()
                await asyncio.sleep(POLL_INTERVAL)
            return reply
        reply = await self.reply_to("data")
        if reply == "drop":
            server.transport.abort()
            return "421 never seen"
        if reply is not None:
            return reply
        return self.accept(envelope)

    def accept(self, envelope):
        self.accepted += 1
        self.write(f"mail-{self.accepted}.json", describe(envelope))
        return f"250 2.0.0 Ok: queued as {self.accepted}"

    def write(self, name, content):
        """Writes atomically: readers see the whole file or none."""
        part = self.directory / f".{name}"
        part.write_text(json.dumps(content))
        part.rename(self.directory / name)


def describe(envelope):
    raw = envelope.original_content
    # Defects are recorded, not raised, so that a test can show them.
    message = email.message_from_bytes(raw, policy=email.policy.default)
    defects = [str(defect) for part in message.walk() for defect in part.defects]
    for part in message.walk():
        for value in part.values():
            defects += [str(defect) for defect in value.defects]
    try:
        email.message_from_bytes(raw, policy=email.policy.strict).as_bytes()
    except Exception as error:  # noqa: BLE001 - any error means that the mail is not valid
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
        # aiosmtpd does not know of implicit TLS, and would require STARTTLS before a login.
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
    # A shell starts background processes with SIGINT ignored. The tests stop this server with SIGINT.
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))
    asyncio.run(main(*sys.argv[1:]))
