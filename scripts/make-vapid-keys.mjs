// npm run make-vapid-keys: creates the keys with which the shop signs notifications (Web Push, RFC 8292).
import { generateKeyPairSync } from "node:crypto";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x, y, d } = privateKey.export({ format: "jwk" });
const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
const publicKey = point.toString("base64url");

console.log(`New VAPID keys, shown this once:

VAPID_PUBLIC_KEY=${publicKey}
VAPID_PRIVATE_KEY=${d}

On this machine: put both lines into .dev.vars beside wrangler.toml, and start the shop again.

The deployed shop: enter each value after its command.
  npx wrangler secret put VAPID_PUBLIC_KEY
  npx wrangler secret put VAPID_PRIVATE_KEY

Keep the keys: with new ones, everybody must turn notifications on again.`);
