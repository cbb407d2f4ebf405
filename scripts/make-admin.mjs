// npm run make-admin: gives an account the admin flag through wrangler, on a deployed or a local shop.
import { randomBytes, randomUUID } from "node:crypto";
import { hashPassword } from "../app/features/accounts/passwords.server.ts";
import { emailKey, hasMailDomain } from "../app/http/email-address.ts";
import { readArguments } from "./command-line.mjs";
import { executeSql, reserveShop } from "./execute-sql.mjs";
import { stateDirectory } from "./local-shop.mjs";

const HELP = `Makes somebody an admin of the shop.

  npm run make-admin -- person@example.com                  the deployed shop (needs wrangler login)
  npm run make-admin -- person@example.com --local          the shop on this machine, stopped (STATE_DIR is honoured)
  npm run make-admin -- person@example.com --name "Ann Lee" the name, should there be no account yet

  --remote     the deployed shop; the default
  --local      the shop on this machine
  --name NAME  first and last name of a new account (default: Shop Admin)
  --reset-factor  also turns the account's second factor off, whose authenticator and codes are lost
  --help       this text

An account with that address is promoted (and switched on, should it be off); its password stays as it is:
addresses are not verified at sign-up, so make sure first that the account is theirs.
Without one, an account is made and its password printed once: sign in and change it under My Account.`;

const { values, positionals } = readArguments(
  HELP,
  {
    remote: { type: "boolean" },
    local: { type: "boolean" },
    name: { type: "string", default: "Shop Admin" },
    "reset-factor": { type: "boolean", default: false },
  },
  { positionals: true },
);

const address = (positionals[0] ?? "").trim().normalize("NFC");
const isAddress = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@.\p{Cc}]+$/u.test(address) && hasMailDomain(address);
if (positionals.length !== 1 || !isAddress) {
  fail(`Give one e-mail address.\n\n${HELP}`);
}
if (values.local && values.remote) fail(`Choose --local or --remote.\n\n${HELP}`);

await promote().catch(({ message }) => fail(message));

async function promote() {
  if (values.local) reserveShop(stateDirectory());
  const key = emailKey(address);
  const [promoted] = execute(
    `UPDATE users SET is_admin = 1, is_user = 1, updated_at = unixepoch() WHERE email_key = ${quoted(key)} RETURNING email`,
  );
  if (promoted) console.log(`${promoted.email} is an admin now.`);
  else await create(key);
  if (values["reset-factor"]) resetFactor(key);
}

/** Deletes the second factor of an account with its recovery codes. */
function resetFactor(key) {
  const owner = `(SELECT id FROM users WHERE email_key = ${quoted(key)})`;
  execute(`DELETE FROM recovery_codes WHERE user_id = ${owner}`);
  const [reset] = execute(`DELETE FROM second_factors WHERE user_id = ${owner} RETURNING user_id`);
  console.log(reset ? "Its second factor is off." : "It has no second factor.");
}

/** Creates the account; when two people run this at once, the second promotes the account of the first. */
async function create(key) {
  const [firstName, ...rest] = values.name.trim().split(/\s+/);
  // The admin form's rule: a digit, a lower-case letter, an upper-case letter and a symbol.
  const password = `${randomBytes(12).toString("base64url")}aA1!`;
  const row = {
    id: randomUUID(),
    email: address,
    email_key: key,
    first_name: firstName || "Shop",
    last_name: rest.join(" ") || "Admin",
    password_hash: await hashPassword(password),
  };
  const [made] = execute(
    `INSERT INTO users (${Object.keys(row).join(", ")}, is_admin, created_at, updated_at)
     VALUES (${Object.values(row).map(quoted).join(", ")}, 1, unixepoch(), unixepoch())
     ON CONFLICT (email_key) DO UPDATE SET is_admin = 1 RETURNING password_hash`,
  );
  console.log(`${address} is an admin now.`);
  if (made?.password_hash === row.password_hash) {
    console.log(`Password, shown this once: ${password}\nSign in and change it under My Account.`);
  }
}

/** Quotes a text for SQL. */
function quoted(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

function execute(sql) {
  return executeSql(sql, !values.local);
}

function fail(why) {
  console.error(why.trim());
  process.exit(1);
}
