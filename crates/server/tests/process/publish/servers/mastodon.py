"""Mastodon's API for publishing, from its documentation: docs.joinmastodon.org/methods/{statuses,media}."""

import datetime
import email.parser
import email.policy
import json
import re

from standin import StandIn, serve

TOKEN = "a-token-of-the-tests"
LIMIT = 500


class Mastodon(StandIn):
    statuses = []
    by_key = {}
    media = {}

    def authorized(self):
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self.answer(401, {"error": "The access token is invalid"})
        return False

    def get(self):
        if self.path == "/statuses":
            return self.answer(200, self.statuses)
        status = self.find_status()
        if status:
            return self.answer(200, status)
        found = re.fullmatch(r"/api/v1/media/(\w+)", self.path)
        if not found or found[1] not in self.media:
            return self.answer(404, {"error": "Record not found"})
        if not self.authorized():
            return None
        medium = self.media[found[1]]
        # The first request comes before processing has finished: 206, and no URL.
        medium["looks"] += 1
        return self.answer(206 if medium["looks"] < 2 else 200, self.shown(found[1]))

    def find_status(self):
        found = re.fullmatch(r"/api/v1/statuses/(\w+)", self.path)
        return next((status for status in self.statuses if found and status["id"] == found[1]), None)

    def delete(self):
        if not self.authorized():
            return None
        entry, instruction = self.note(path=self.path, method="DELETE")
        if not instruction.get("hold") and self.instructed(entry, instruction):
            return None
        status = self.find_status()
        if status:
            self.statuses.remove(status)
        if instruction.get("hold"):
            return self.instructed(entry, instruction)
        entry["answered"] = 200 if status else 404
        return self.answer(entry["answered"], status or {"error": "Record not found"})

    def post(self):
        if not self.authorized():
            return None
        entry, instruction = self.note(path=self.path, key=self.headers.get("Idempotency-Key"))
        # A held request is handled, only its response is held back.
        if not instruction.get("hold") and self.instructed(entry, instruction):
            return None
        status, body = {"/api/v2/media": self.upload, "/api/v1/statuses": self.publish}[self.path]()
        if instruction.get("hold"):
            return self.instructed(entry, instruction)
        entry["answered"] = status
        return self.answer(status, body)

    def upload(self):
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + self.body)
        parts = {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}
        if "file" not in parts or not parts["file"].get_filename():
            return 422, {"error": "Validation failed: File can't be blank"}
        number = str(22345792 + len(self.media))
        self.media[number] = {
            "looks": 0,
            "kind": parts["file"].get_content_type(),
            "size": len(parts["file"].get_payload(decode=True)),
            "description": parts["description"].get_content() if "description" in parts else None,
        }
        return 202, self.shown(number)

    def shown(self, number):
        medium = self.media[number]
        ready = medium["looks"] >= 2
        return {
            "id": number, "type": "image", "url": f"https://files.example/{number}.png" if ready else None,
            "preview_url": None, "remote_url": None, "meta": {}, "description": medium["description"],
        }

    def publish(self):
        key = self.headers.get("Idempotency-Key")
        if key in self.by_key:
            return 200, self.by_key[key]
        asked = json.loads(self.body)
        text, media_ids = asked.get("status", ""), asked.get("media_ids", [])
        if not text.strip() and not media_ids:
            return 422, {"error": "Validation failed: Text can't be blank"}
        if len(re.sub(r"https?://\S+", "x" * 23, text)) > LIMIT:
            return 422, {"error": f"Validation failed: Text character limit of {LIMIT} exceeded"}
        if asked.get("visibility", "public") not in ("public", "unlisted", "private", "direct"):
            return 422, {"error": "Validation failed: Visibility is not included in the list"}
        for number in media_ids:
            if number not in self.media or self.media[number]["looks"] < 2:
                return 422, {"error": "Cannot attach files that have not finished processing. Try again in a moment!"}
        number = str(103254962155278888 + len(self.statuses))
        status = {
            "id": number,
            "created_at": datetime.datetime.now(datetime.UTC).isoformat(),
            "visibility": asked.get("visibility", "public"),
            "uri": f"https://mastodon.example/users/acme/statuses/{number}",
            "url": f"https://mastodon.example/@acme/{number}",
            "content": f"<p>{text}</p>",
            "text": text,
            "media_attachments": [self.shown(number) | self.media[number] for number in media_ids],
        }
        self.statuses.append(status)
        if key:
            self.by_key[key] = status
        return 200, status


serve(Mastodon)
