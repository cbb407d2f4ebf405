// The record of measured figures, docs/bench.json: each section with its commit. The table of docs/bench.md is printed
// from it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../scripts/local-shop.mjs";
import { cellsOf } from "./table.mjs";

const RECORD = join(ROOT, "docs/bench.json");
const PAGE = join(ROOT, "docs/bench.md");
const TABLE_END = "<!-- end of the table -->";
const TABLE = new RegExp(`<!-- table of docs/bench.json -->\n[^]*?${TABLE_END}`);

/** Code of every request. */
const REQUEST = ["app/db", "app/http", "app/session", "workers/app.ts", "workers/finish-response.ts"];
const SHOP_PAGES = ["app/root.tsx", "app/entry.server.tsx", "app/layouts/shop", "app/ui"];
const CATALOGUE = ["app/features/catalogue", "app/features/home", "app/features/product-page"];
const BOOKS = ["analytics", "bookkeeping", "dashboard", "ledger", "ledger-pages", "sales"];
const ALL = ["app", "workers", "migrations"];

/** Files whose code each section measures. */
export const MEASURED = {
  weight: ["app", "public", "package-lock.json"],
  deployed: ["app", "workers", "package-lock.json"],
  cost: [...CATALOGUE, "app/db", "migrations"],
  search: ["app/features/catalogue", "app/db/search.ts", "migrations"],
  ledger: [...BOOKS.map((name) => `app/features/${name}`), "app/features/inventory", "app/db", "migrations"],
  receipts: ["app/features/sales/receipt", "package-lock.json"],
  chats: ["app/features/chat", "app/features/console", "app/db", "migrations"],
  upload: ["app/features/product-import", "app/features/catalogue", "app/db", "migrations"],
  cached: [
    ...REQUEST,
    "workers/shared-cache.ts",
    "workers/data-centre-cache.ts",
    "workers/cached-page.ts",
    "workers/routes.ts",
  ],
  rendered: [...REQUEST, ...SHOP_PAGES, ...CATALOGUE],
  chat: [...REQUEST, "app/features/chat", "workers"],
  crowd: [...REQUEST, "app/features/chat", "workers"],
  histories: ["app/features/sales", "app/db", "migrations"],
  kills: [...REQUEST, "app/features/chat", "app/features/sales", "workers"],
  distance: ALL,
  lighthouse: ["app", "public", "package-lock.json"],
};

/**
 * @typedef {import("./table.mjs").Row} Row
 * @typedef {{ commit: string, date: string, code: string, rows: Row[] }} Section `date` of the commit; `code` identifies
 *   the measured files, also after a rebase
 */

const QUIET = { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
const git = (...args) => execFileSync("git", args, QUIET).trim();

/** Identifies the measured files as they were with a commit. */
const codeOf = (section, commit) =>
  createHash("sha256")
    .update(git("ls-tree", "-r", commit, "--", ...MEASURED[section]))
    .digest("hex")
    .slice(0, 12);

/** @returns {Record<string, Section>} */
export const readRecord = () => JSON.parse(readFileSync(RECORD, "utf8"));

/**
 * Records a section's figures under the commit that is checked out, and prints them into docs/bench.md.
 *
 * @param {string} section
 * @param {Row[]} rows
 */
export function record(section, rows) {
  const changed = git("status", "--porcelain", "--", ...MEASURED[section]) !== "";
  const commit = git("rev-parse", "--short=8", "HEAD");
  const entry = {
    commit: changed ? `${commit} and changes` : commit,
    date: git("log", "-1", "--format=%cs"),
    code: changed ? "" : codeOf(section, "HEAD"),
    rows,
  };
  const known = { ...readRecord(), [section]: entry };
  const ordered = Object.fromEntries(
    Object.keys(MEASURED).flatMap((name) => (known[name] ? [[name, known[name]]] : [])),
  );
  writeFileSync(RECORD, `${JSON.stringify(ordered, null, 2)}\n`);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), ordered));
}

/** Replaces the table in the text of docs/bench.md. @param {Record<string, Section>} sections */
export function withTable(page, sections) {
  const lines = Object.values(sections).flatMap(({ commit, rows }) =>
    rows.map((row) => `| ${[...cellsOf(row), commit].join(" | ")} |`),
  );
  const head =
    "| Measurement | Shop | Reference | Ratio | Budget | Verdict | Commit |\n|---|---|---|---|---|---|---|";
  return page.replace(
    TABLE,
    `<!-- table of docs/bench.json -->\n\n${head}\n${lines.join("\n")}\n\n${TABLE_END}`,
  );
}

/** @returns {string[]} a sentence for each section whose figures are older than the code they measure */
export function outdated() {
  if (!existsSync(join(ROOT, ".git")))
    return ["Without the repository's history nothing says how old the figures are."];
  const sections = readRecord();
  return Object.keys(MEASURED).flatMap((section) => {
    const known = sections[section];
    if (!known) return [`${section} has no figures.`];
    if (known.code === codeOf(section, "HEAD")) return [];
    return [
      `${section} is of ${known.commit} (${known.date}); its code has changed since${changesSince(known.commit, section)}.`,
    ];
  });
}

/** Counts the commits since, where the history has that commit. */
function changesSince(commit, section) {
  try {
    const count = git("rev-list", "--count", `${commit}..HEAD`, "--", ...MEASURED[section]);
    return ` in ${count} commits`;
  } catch {
    return "";
  }
}
