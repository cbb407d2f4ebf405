import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesIn, read } from "./sources";

/** Tables whose rows are no changes by staff, account owners, imports or the system, with the reason. */
const NOT_AUDITED: Record<string, string> = {
  audit_log: "is the audit log",
  audit_seals: "is its chain",
  backups: "records of the installation, with the health page",
  backup_rows: "records of the installation",
  restores: "records of the installation",
  nightly_runs: "records of the installation",
  incidents: "records of the installation",
  error_hours: "records of the installation",
  slow_routes: "records of the installation",
  alerts: "records of the installation",
  favourites: "a shopper's own list, not a change of the shop",
  visitor_favourites: "a shopper's own list, not a change of the shop",
  push_subscriptions: "a browser's own state",
  scarce_notices: "who is to be told, not what was done",
  push_preferences: "a person's own notifications",
  restock_requests: "a shopper's own wait, and what was sent",
  restocks: "follows the stock, whose changes are recorded",
  proven_addresses: "what an account's owner has shown",
  missed_search_days: "searches of shoppers, without persons",
  mail_threads: "where replies to mails belong, and a reader's own choice to get none",
  chat_mails: "mails of a conversation, whose messages the room stores",
  received_mails: "records of the installation",
  sessions: "sign-ins of staff are recorded, their end is not",
  password_resets: "links that a person requested; the new password is recorded",
  product_keys: "how the next import recognises a product, which its run records",
  import_mappings: "choices that the next import of the same file begins with",
  image_claims: "keys of uploads that no product names yet",
  sale_outbox: "deliveries, which the document's own history lists",
  webhook_deliveries: "deliveries, which the integrations' page lists",
  erasures: "progress of a deletion; its plan, end and cancellation are recorded",
  chat_imports: "content on its way into a room",
  chat_first_answers: "measured times",
  chat_texts: "searched text of a room",
  product_changes: "what a run changed of products, which the same batch records",
};

/** Functions that write an audited table and record nothing themselves, with the reason. */
const EXEMPT: Record<string, string> = {
  countAttempt: "a counter, not content; the lock that it leads to is recorded by recordLock",
  uncountAttempt: "takes back the count of countAttempt",
  spendStep: "recorded by the sign-in or the change that the code permits",
  insertCodes: "recorded by insertFactor and replaceCodes in the same batch",
  // Statements of a batch that records the whole.
  sellHold: "recorded with its sale",
  sellQuote: "recorded with its sale",
  moveStock: "recorded with its document",
  writeUnits: "recorded by insertProduct, updateProductRow, recordBatch or putBack in the same batch",
  returnChoices: "recorded by putBack in the same batch",
  priceStatement: "part of unitStatements",
  writeCodes: "recorded by recordBatch in the same batch",
  createUnits: "recorded by createRemoved in the same batch",
  linkChat: "recorded with its sale",
  linkStatements: "recorded by insertCustomer and linkChatToCustomer",
  documentStatements: "recorded by recordDocuments in the same batch",
  paymentsStatement: "recorded by recordDocuments in the same batch",
  drawNumber: "recorded with what has the number",
  linesStatement: "part of documentStatements",
  invoicesStatement: "part of documentStatements",
  renameDocuments: "part of eraseRows",
  rewriteIndexes: "merges the full-text tables",
  saveAttempt: "counts of failures beside a delivery",
  // Changes of no figure.
  storePushKeys: "keys that the shop makes by itself",
  deletePageChanges: "pages of the cache are purged",
  settleHolds: "a hold ends by the clock; only its counter is settled",
  settleEndedHolds: "a hold ends by the clock; only its counter is settled",
  saveFirstAnswer: "a measured time beside the settings",
  upsertRows: "recorded by upsertChatRows in the same batch",
  renewChatAddresses: "follows the account, whose change is recorded in the same batch",
  markCustomersSeen: "a time that follows the messages of a chat",
  replaceEmailKeys: "a derived key; the address stays",
  storeNameKeys: "a derived key; the name stays",
  // Runs of imports: their end is recorded.
  insertRun: "the end of the run is recorded",
  upsertPlannedRun: "a plan changes nothing",
  claimRun: "the end of the run is recorded",
  deletePlannedRuns: "a plan changes nothing",
  saveProgress: "the end of the run is recorded",
  claimUndo: "the end of the run is recorded",
  undoSlice: "recorded by putBack, removeCreated and createRemoved in the same batch",
  beginActRun: "each product of the act is recorded",
  endActRun: "each product of the act is recorded",
  deleteEmptyRun: "a run that has changed nothing",
};

const WRITE = /\b(?:INSERT(?: OR \w+)? INTO|UPDATE(?! SET)|DELETE FROM)\s+(?:"?([a-z_]+)"?|\$\{(\w+)\})?/g;
const BUILDER = /\.(?:insert|update|delete)\(\s*([A-Za-z]+)\s*\)/g;
const inSql = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Lists the tables that a text writes; `?` for one that a variable names. */
function writtenTables(text: string): string[] {
  const raw = [...text.matchAll(WRITE)].map(([, table, name]) => table ?? (name ? inSql(name) : "?"));
  const built = [...text.matchAll(BUILDER)].map(([, name = ""]) => inSql(name));
  return [...raw, ...built].filter((table) => !["set", "of", "on"].includes(table));
}

/** Lists the top-level functions and constants of a file. */
function declarationsOf(path: string): { name: string; text: string }[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((node) => {
    if (ts.isFunctionDeclaration(node)) return [{ name: node.name?.text ?? "", text: node.getText() }];
    if (!ts.isVariableStatement(node)) return [];
    return node.declarationList.declarations.map((each) => ({
      name: each.name.getText(),
      text: each.getText(),
    }));
  });
}

/** Files with SQL of D1; those of workers are about the rooms' own databases. */
const declarations = filesIn(["app/features", "app/session", "app/http"], /(?<!\.test)\.tsx?$/)
  .filter((path) => /queries/.test(path) && !/features\/(?:backup|health|incidents|audit)\//.test(path))
  .flatMap((path) => declarationsOf(path).map((each) => ({ path, ...each })));
const writing = declarations
  .map((each) => ({ ...each, tables: writtenTables(each.text).filter((table) => !(table in NOT_AUDITED)) }))
  .filter(({ tables }) => tables.length > 0);

describe("the audit log (docs/decisions/0029-audit.md)", () => {
  it("every function that writes to D1 records the change in its batch, or stands in a list of exemptions", () => {
    const silent = writing
      .filter(({ name, text }) => !/\brecord(?:ed|\w*)\(/.test(text) && !(name in EXEMPT))
      .map(({ path, name, tables }) => `${path} ${name} writes ${tables.join(", ")}`);
    expect(silent, "Add recorded() of app/db/audit.ts to the batch, or the reason to EXEMPT").toEqual([]);
  });

  it("has no exemption that nothing needs", () => {
    const names = new Set(writing.map(({ name }) => name));
    expect(Object.keys(EXEMPT).filter((name) => !names.has(name))).toEqual([]);
  });

  it("finds the functions that write", () => {
    const found = new Set(writing.map(({ name }) => name));
    for (const name of ["updateProductRow", "writeStock", "removeEntry", "updateUser", "decideQuote"])
      expect(found).toContain(name);
  });
});
