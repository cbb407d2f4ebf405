// npm run make-vapid-keys: creates the keys of the shop's notifications and says where they belong.
import { newVapidKeys } from "./vapid-keys.mjs";

const { publicKey, privateKey } = newVapidKeys();

console.log(`New VAPID keys, shown this once:

VAPID_PUBLIC_KEY=${publicKey}
VAPID_PRIVATE_KEY=${privateKey}

On this machine: put both lines into .dev.vars beside wrangler.toml, and start the shop again.

The deployed shop: enter each value after its command.
  npx wrangler secret put VAPID_PUBLIC_KEY
  npx wrangler secret put VAPID_PRIVATE_KEY

Keep the keys: with new ones, everybody must turn notifications on again.`);
