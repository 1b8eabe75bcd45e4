"""A receiver of webhooks. It verifies signatures with the reference implementation of Standard Webhooks."""

import json

from standardwebhooks import Webhook, WebhookVerificationError
from standin import StandIn, serve


class Receiver(StandIn):
    secret = None

    def post(self):
        if self.path == "/secret":
            Receiver.secret = json.loads(self.body)["secret"]
            return self.answer(204, b"")
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            Webhook(self.secret).verify(self.body, headers)
            verified = True
        except WebhookVerificationError as error:
            verified = str(error)
        entry, instruction = self.note(
            id=headers.get("webhook-id"), verified=verified, type=headers.get("content-type"),
            body=json.loads(self.body), raw=self.body.decode(),
        )
        if not self.instructed(entry, instruction):
            entry["answered"] = 204
            self.answer(204, b"")


serve(Receiver)
