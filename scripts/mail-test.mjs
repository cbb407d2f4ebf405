// npm run mail:test: sends a test mail from a shop and tells what the platform said.
import { readArguments } from "./command-line.mjs";
import { stateDirectory } from "./local-shop.mjs";
import { remoteShop, runningShop } from "./operator-client.mjs";

const HELP = `Sends a test mail and tells whether the platform accepted it.

  npm run mail:test -- you@example.com            the running shop on this machine (STATE_DIR is honoured),
                                                  which writes its mails to STATE_DIR/mail
  npm run mail:test -- you@example.com --remote   the deployed shop (needs BACKUP_KEY)

Ends with 1 for a refused mail.`;

const { values, positionals } = readArguments(HELP, { remote: { type: "boolean" } }, { positionals: true });
const [to = ""] = positionals;

if (positionals.length !== 1 || !/^[^\s@]+@[^\s@]+$/.test(to)) fail(`Give one e-mail address.\n\n${HELP}`);
else await sendTo(to).catch(({ message }) => fail(message));

async function sendTo(address) {
  const shop = await (values.remote ? remoteShop() : runningShop(stateDirectory()));
  if (!shop) throw new Error("No shop is running on this machine.");
  const { from, refusal } = await shop.json("POST", "mail", JSON.stringify({ to: address }));
  if (refusal !== null) throw new Error(`The mail from ${from} to ${address} was refused: ${refusal}.`);
  console.log(`The mail from ${from} to ${address} was accepted. It should arrive within a minute.`);
}

function fail(why) {
  console.error(why);
  process.exitCode = 1;
}
