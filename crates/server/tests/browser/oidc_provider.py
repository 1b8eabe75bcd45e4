"""A real OpenID Connect provider: npm's oidc-provider."""

import pathlib
import shutil
import subprocess

from service import REPOSITORY, WAIT_TIMEOUT, Service

SCRIPT = pathlib.Path(__file__).parent / "oidc/provider.mjs"
PACKAGES = REPOSITORY / "target/oidc_provider"


class OidcProvider:
    def __init__(self):
        # Node looks for packages beside the script.
        script = shutil.copy(SCRIPT, PACKAGES)
        self.process = subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def settings(self):
        return "--oidc-issuer", self.url, "--oidc-client-id", "svc-mcp", "--oidc-client-secret", "a-secret-of-the-client"

    def serve(self, directory: pathlib.Path) -> Service:
        """A service whose people sign in here."""
        service = Service(directory, *self.settings())
        self.process.stdin.write(f"{service.url}/api/sign-in/oidc/callback\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == "added"
        return service

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=WAIT_TIMEOUT)
