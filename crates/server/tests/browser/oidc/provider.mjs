// A real OpenID Connect provider. It prints its address. Each line on standard input is the redirect URI of another service,
// and is answered with `added`. Its own development pages ask for a name and any password; `olga` is an operator.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { Provider } from "oidc-provider";

const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
	clients: [{ client_id: "svc-mcp", client_secret: "a-secret-of-the-client", redirect_uris: ["http://127.0.0.1:1/not-used"] }],
	claims: { openid: ["sub", "svc_role"] },
	conformIdTokenClaims: false,
	pkce: { required: () => true },
	features: { devInteractions: { enabled: true } },
	findAccount: (_, id) => ({
		accountId: id,
		claims: () => ({ sub: id, ...(id === "olga" && { svc_role: "operator" }) }),
	}),
});
// Each service has a free port, which is known after the provider has started.
const redirectUris = new Set();
provider.Client.prototype.redirectUriAllowed = (uri) => redirectUris.has(uri);
server.on("request", provider.callback());
console.log(issuer);

const lines = createInterface({ input: process.stdin });
lines.on("line", (uri) => {
	redirectUris.add(uri);
	console.log("added");
});
// It ends with the test.
lines.on("close", () => process.exit());
