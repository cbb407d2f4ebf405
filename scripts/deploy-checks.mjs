// Checks of the configuration and the account before npm run deploy.
import { stripVTControlCharacters } from "node:util";
import { isPlaceholderDomain } from "../app/http/placeholder-domain.ts";
import { isValidRegion, REGIONS } from "../app/http/shop-objects.server.ts";

/** Settings whose default is the demo's, so that an empty value does not switch them off. */
const REQUIRED = ["SUPPORT_EMAIL", "LEGAL_EMAIL", "MAIL_FROM", "SHOP_PHONE", "SELLER_SMS"];
/** Values of wrangler.toml that belong to the demo alone. */
const DEMO = [
  /555[ -]?01\d\d/,
  /214.Queen.Street.West/,
  /^https:\/\/www\.(?:instagram|facebook|tiktok)\.com\/?$/,
];

/** Values of the demo that another shop may have as well. */
const DEMO_TERMS = {
  SHOP_HOURS: "Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed",
  SHOP_PICKUP: "at the counter, Tuesday to Saturday until 18:00",
};
/** Domain of a mail address or URL. */
const DOMAIN = /(?:@|:\/\/)([\w.-]+)/;

/** @param {{ vars: Record<string, unknown> }} config */
export const shopUrlOf = ({ vars }) => String(vars.SHOP_URL).replace(/\/+$/, "");

/**
 * Finds settings of wrangler.toml that a deployed shop cannot have.
 *
 * @returns {string[]}
 */
export function problemsOfConfig(config) {
  const { vars, d1_databases: databases = [] } = config;
  const problems = [];
  const { SHOP_URL, ...others } = vars;
  if (!/^https:\/\/(?!127\.|\[::1\])/.test(SHOP_URL) || isPlaceholder(SHOP_URL))
    problems.push(`SHOP_URL in wrangler.toml is ${SHOP_URL}: set the https address of the shop.`);
  if (!hasDatabase(databases))
    problems.push(
      "database_id in wrangler.toml is a placeholder: set the id that npx wrangler d1 create emporia prints.",
    );
  const isDemo = (value) => DEMO.some((pattern) => pattern.test(value));
  for (const [name, value] of Object.entries(others))
    if (isDemo(String(value))) problems.push(`${name} in wrangler.toml is the demo's: ${value}`);
    else if (isPlaceholder(value)) problems.push(`${name} in wrangler.toml is a placeholder: ${value}`);
  for (const name of REQUIRED) if (!vars[name]) problems.push(`${name} in wrangler.toml is missing.`);
  if (vars.SHOP_ADDRESS === undefined)
    problems.push('SHOP_ADDRESS in wrangler.toml is missing; set "" for none.');
  if (!isValidRegion(vars))
    problems.push(`SHOP_REGION in wrangler.toml is ${vars.SHOP_REGION}: set one of ${REGIONS.join(", ")}.`);
  return problems;
}

const isPlaceholder = (value) => isPlaceholderDomain(DOMAIN.exec(value)?.[1] ?? "");

const hasDatabase = (databases) => databases.some(({ database_id: id }) => id && !/^[0-]+$/.test(id));

/** Lists what is possible, and slower than it need be or not the shop's own. @returns {string[]} */
export function notesOfConfig(config) {
  const terms = Object.entries(DEMO_TERMS).filter(([name, demo]) => (config.vars[name] ?? demo) === demo);
  return [
    ...terms.map(([name, demo]) => `${name} in wrangler.toml is the demo's. Is it the shop's too? ${demo}`),
    ...notesOfAddress(config),
  ];
}

/** @returns {string[]} */
function notesOfAddress(config) {
  const host = URL.canParse(shopUrlOf(config)) ? new URL(shopUrlOf(config)).host : "";
  const routes = [config.route, ...(config.routes ?? [])].filter(Boolean);
  const patterns = routes.map((route) => (typeof route === "string" ? route : route.pattern).split("/")[0]);
  if (host.endsWith(".workers.dev"))
    return [
      `${host} has no cache of its own data centres, and may be rendered for each reader. Give the shop a domain of its own.`,
    ];
  const notes = [];
  if (!patterns.includes(host)) notes.push(`No route of wrangler.toml serves ${host}.`);
  if (config.workers_dev !== false)
    notes.push("The shop also answers at workers.dev: set workers_dev = false.");
  return notes;
}

/**
 * Compares migrations and secrets of the account with those that the shop needs.
 *
 * @param {(args: string[]) => { status: number | null, stdout: string, stderr?: string }} wrangler
 * @returns {{ problems: string[], notes: string[] }}
 */
export function checkAccount(config, wrangler) {
  // Without its id, wrangler would find a database by its name, which need not be this shop's.
  if (!hasDatabase(config.d1_databases ?? [])) return { problems: [], notes: [] };
  const pending = wrangler(["d1", "migrations", "list", "DB", "--remote"]);
  if (pending.status !== 0)
    return {
      problems: [
        `wrangler cannot ask Cloudflare, so migrations and secrets are unknown:\n${errorOf(pending)}`,
      ],
      notes: [],
    };
  const problems = [];
  if (!/no migrations to apply/i.test(pending.stdout))
    problems.push("Migrations are missing: npx wrangler d1 migrations apply DB --remote");
  const secrets = wrangler(["secret", "list", "--format", "json"]);
  // The list fails for a Worker that does not exist yet, which has no secrets.
  if (secrets.status !== 0 && !/does not exist|not found|10007/i.test(errorOf(secrets)))
    problems.push(`wrangler cannot list the secrets:\n${errorOf(secrets)}`);
  else if (!secrets.stdout.includes('"COOKIE_SECRET"'))
    problems.push(
      "The Worker has no secret COOKIE_SECRET: openssl rand -hex 32 | npx wrangler secret put COOKIE_SECRET",
    );
  const isListed = secrets.status === 0 && !secrets.stdout.includes('"BACKUP_KEY"');
  const notes = isListed ? ["BACKUP_KEY is not set: the shop cannot be backed up to this machine."] : [];
  return { problems, notes: [...notes, replication(wrangler)] };
}

/** Describes whether D1 has read replicas. */
function replication(wrangler) {
  const info = wrangler(["d1", "info", "DB", "--json"]);
  const [, mode] = /"read_replication":\s*\{\s*"mode":\s*"(\w+)"/.exec(info.stdout) ?? [];
  if (mode === "auto") return "Read replication of the database is on.";
  return mode
    ? "Read replication of the database is off: people far away wait for the primary (docs/operations.md)."
    : "Read replication of the database is unknown.";
}

/** Returns wrangler's own words, without colours and the path of its log. */
export function errorOf({ stdout, stderr = "" }) {
  const printed = stripVTControlCharacters(`${stderr}\n${stdout}`);
  const at = printed.indexOf("[ERROR]");
  const text = at < 0 ? "" : printed.slice(at + "[ERROR]".length);
  const lines = text.split("\n").map((line) => line.trim());
  const told = lines.filter((line) => line && !/Logs were written to|please open an issue/i.test(line));
  return told.join("\n") || "It said nothing. Sign in with: npx wrangler login";
}
