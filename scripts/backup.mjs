// npm run backup, restore and backup:verify: archives of a whole shop (docs/decisions/0027-backup.md).
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  chained,
  chatDifferences,
  chatDigests,
  differences,
  readManifest,
  readSlice,
  requestParts,
} from "../app/features/backup/archive.ts";
import { counted } from "../app/ui/format.ts";
import { readArguments } from "./command-line.mjs";
import { completeDatabase, stateDirectory } from "./local-shop.mjs";
import { laterMigrations, migrationsSql } from "./migration-files.mjs";
import { localShop, remoteShop } from "./operator-client.mjs";

const HELP = `Backs up and restores a whole shop: tables, files and chats.

  npm run backup -- FILE                the shop on this machine (STATE_DIR is honoured), running or not
  npm run backup -- --state DIR FILE    the shop in another folder
  npm run backup -- --remote FILE       the deployed shop (SHOP_URL of wrangler.toml)
  npm run backup -- --remote --stored latest FILE
                                        downloads a nightly backup; an id instead of "latest", "list" for all ids
  npm run restore -- FILE               into an empty shop; --state and --remote as above
                                        After an interruption, the same command continues.
  --take-over                           ends a backup, or continues a restore, whose process was killed just now;
                                        without it both wait until they are sure of that
  npm run restore -- --schema OUT.sql FILE
                                        writes the archive's migrations as SQL, for the empty database of a deployed shop
  npm run backup:verify -- FILE         restores into a temporary shop and compares every row, chat and file

An archive of an older version is restored with its own migrations. On this machine the later ones follow by themselves.
A damaged chat does not stop the others: it is named at the end, and the command exits with 1.

The deployed shop needs its secret BACKUP_KEY in the environment variable of the same name.`;

const OLDER = "The archive is of an older version, with its own migrations.";

const COMMANDS = { backup, restore, verify };

const { values, positionals } = readArguments(
  HELP,
  {
    remote: { type: "boolean" },
    state: { type: "string" },
    stored: { type: "string" },
    schema: { type: "string" },
    "take-over": { type: "boolean" },
  },
  { positionals: true },
);
const [command, file] = positionals;
if (!COMMANDS[command] || (!file && values.stored !== "list")) {
  console.log(HELP);
  process.exit(2);
}

try {
  await COMMANDS[command]();
} catch (error) {
  console.error(error.code === "ENOENT" && error.path ? `There is no file ${error.path}.` : error.message);
  process.exitCode = 1;
}

async function withShop(options, run) {
  const shop = values.remote ? await remoteShop() : await localShop(values.state, options);
  try {
    return await run(shop);
  } finally {
    await shop.close();
  }
}

async function backup() {
  const manifest = await withShop({ isNew: false }, (shop) =>
    values.stored ? download(shop) : write(shop, file),
  );
  if (!manifest) return;
  console.log(`${summary(manifest)}, written to ${file}`);
  reportDamaged(manifest.damaged, "could not be read");
}

async function restore() {
  const archive = await openArchive(file);
  try {
    if (values.schema) return writeSchema(archive.manifest);
    const { later, options } = newShopFor(archive.manifest);
    const { damaged, missing } = await withShop(options, (shop) => load(shop, archive));
    console.log(`${summary(archive.manifest, missing.length + damaged.length)} restored`);
    if (later > 0 && values.remote)
      console.log(`${OLDER} Apply the others: npx wrangler d1 migrations apply DB --remote`);
    else if (later > 0) migrate(values.state ? resolve(values.state) : stateDirectory(), archive.manifest);
    reportDamaged(archive.manifest.damaged, "is not in the archive");
    reportDamaged(damaged, "could not be restored");
    reportMissing(missing);
  } finally {
    await archive.close();
  }
}

/** Finds how an empty shop for an archive is created. @returns number of later migrations; options of localShop */
function newShopFor({ migrations }) {
  const later = laterMigrations(migrations);
  return { later, options: { isNew: true, ...(later > 0 && { migrations: migrations.length }) } };
}

function migrate(stateDir, { migrations }) {
  console.log(OLDER);
  completeDatabase(stateDir, migrations);
}

function writeSchema({ migrations }) {
  laterMigrations(migrations);
  writeFileSync(values.schema, migrationsSql(migrations.length));
  console.log(`${migrations.length} migrations written to ${values.schema}`);
}

/** Restores into a temporary shop, backs that up and compares the two archives. */
async function verify() {
  const archive = await openArchive(file);
  const folder = mkdtempSync(join(tmpdir(), "emporia-verify-"));
  const { later, options } = newShopFor(archive.manifest);
  try {
    const damaged = [...(archive.manifest.damaged ?? [])];
    reportDamaged(damaged, "is not in the archive");
    await withLocal(folder, options, async (shop) => {
      // A restore removes them from the list, which the archive still has.
      const { damaged: refused, missing } = await load(shop, archive, "keep-missing");
      reportDamaged(refused, "could not be restored");
      reportMissing(missing);
      damaged.push(...refused);
      const again = join(folder, "again.tar");
      report(await compare(archive, await write(shop, again), again, damaged), damaged);
      console.log(
        damaged.length > 0
          ? `Everything else is equal after a restore: ${summary(archive.manifest, refused.length + missing.length)}`
          : `${summary(archive.manifest, missing.length)}: equal after a restore`,
      );
    });
    if (later > 0) {
      migrate(folder, archive.manifest);
      await withLocal(folder, { isNew: false }, async (shop) => {
        const migrated = join(folder, "migrated.tar");
        report(await losses(archive, await write(shop, migrated), migrated, damaged), damaged);
      });
      console.log(
        `No ${damaged.length > 0 ? "other " : ""}row, chat or file is lost by the later migrations`,
      );
    }
  } finally {
    await archive.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withLocal(folder, options, run) {
  const shop = await localShop(folder, options);
  try {
    await run(shop);
  } finally {
    await shop.close();
  }
}

/**
 * Prints what differs.
 *
 * @param {{ id: string }[]} damaged chats that were named already
 * @throws {Error} when something differs
 */
function report(differing, damaged) {
  for (const difference of differing) console.error(difference);
  if (differing.length === 0) return;
  const others = damaged.length > 0 ? "other part" : "part";
  throw new Error(`${counted(differing.length, others)} ${differing.length === 1 ? "differs" : "differ"}.`);
}

/** Lists what migrations have lost: rows of a table, and changes of chats and files, which none may touch. */
async function losses(archive, migrated, path, damaged) {
  const counts = Object.entries(archive.manifest.tables).map(([name, { count }]) => [
    name,
    count,
    migrated.tables[name]?.count ?? 0,
  ]);
  const fewer = counts.filter(([, count, left]) => left < count);
  return [
    ...fewer.map(
      ([name, count, left]) => `table ${name}: ${count} in the archive, ${left} after the migrations`,
    ),
    ...(await compare(archive, { ...migrated, tables: archive.manifest.tables }, path, damaged)),
  ];
}

/**
 * Lists the parts in which a restored shop differs. Archives of before divide their chats differently, and later versions
 * store more of a chat.
 *
 * @param {{ id: string }[]} damaged chats that were named already
 */
async function compare(archive, again, path, damaged) {
  const differing = differences(archive.manifest, again);
  if (!differing.some((difference) => difference.startsWith("chats:"))) return differing;
  const others = differing.filter((difference) => !difference.startsWith("chats:"));
  const restored = await openArchive(path);
  const before = await chatDigests(archive.slices());
  const after = await chatDigests(restored.slices(), before);
  await restored.close();
  const chats = chatDifferences(before, after);
  for (const { id } of damaged) chats.delete(id);
  return [...others, ...chats.values()];
}

function reportDamaged(chats, problem) {
  for (const { id, error } of chats ?? []) console.error(`The chat ${id} ${problem}: ${error}`);
  if (chats?.length > 0) process.exitCode = 1;
}

function reportMissing(chats) {
  for (const id of chats)
    console.error(
      `The chat ${id} was deleted during the backup, or had lost its messages: a restore leaves it out`,
    );
}

/** Query of a request that begins; the flag ends or continues what another process began. */
function beginning(path) {
  return values["take-over"] ? `${path}?take-over` : path;
}

/** Writes a new archive, complete or not at all. @returns its manifest */
async function write(shop, path) {
  let cursor = await shop.json("POST", beginning("backup"));
  const slices = async function* () {
    while (cursor) {
      const { slice, next } = await shop.read(readSlice, "POST", "backup/slice", JSON.stringify(cursor));
      cursor = next;
      yield slice;
    }
  };
  return writeSlices(path, slices());
}

/** Downloads a nightly backup, or lists their ids. */
async function download(shop) {
  const ids = await shop.json("GET", "backups");
  if (values.stored === "list") return void console.log(ids.join("\n"));
  const id = values.stored === "latest" ? ids.at(-1) : values.stored;
  if (!ids.includes(id)) throw new Error(`There is no stored backup ${id ?? "yet"}.`);
  const slices = async function* () {
    let after = "";
    for (;;) {
      const keys = await shop.json("GET", `backups?${new URLSearchParams({ id, after })}`);
      if (keys.length === 0) return;
      for (const key of keys) {
        const bytes = async (answer) => new Uint8Array(await answer.arrayBuffer());
        yield shop.read(bytes, "GET", `backups/file?${new URLSearchParams({ key })}`);
      }
      after = keys.at(-1);
    }
  };
  return writeSlices(file, slices());
}

async function writeSlices(path, slices) {
  const partial = `${path}.partial`;
  const handle = await open(partial, "w");
  try {
    for await (const slice of slices) await handle.write(slice);
  } finally {
    await handle.close();
  }
  const archive = await openArchive(partial);
  await archive.close();
  await rename(partial, path);
  return archive.manifest;
}

/**
 * Opens an archive and checks every byte of it.
 *
 * @throws Error for a truncated, damaged or newer archive
 */
async function openArchive(path) {
  const handle = await open(resolve(path), "r");
  const readBytes = async (from, bytes) => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(bytes), 0, bytes, from);
    return buffer.subarray(0, bytesRead);
  };
  const manifest = await readManifest((await handle.stat()).size, readBytes);
  const slices = async function* () {
    let from = 0;
    for (const bytes of manifest.slices) {
      yield readBytes(from, bytes);
      from += bytes;
    }
  };
  let sha256 = "";
  for await (const slice of slices()) sha256 = await chained(sha256, slice);
  if (sha256 !== manifest.sha256) throw new Error("The archive is damaged.");
  return { manifest, slices, close: () => handle.close() };
}

/**
 * Sends an archive to an empty shop.
 *
 * @param {string} keeps flag that leaves chats without a room listed
 * @returns {{ damaged, missing }} chats that are not restored whole
 */
async function load(shop, { manifest, slices }, keeps = "") {
  const { token, next } = await shop.json("POST", beginning("restore"), JSON.stringify(manifest));
  let slice = 0;
  for await (const data of slices()) {
    if (slice >= next) await sendSlice(shop, { token, slice }, data);
    slice++;
  }
  return shop.json("POST", `restore/end?${new URLSearchParams({ token })}&${keeps}`);
}

async function sendSlice(shop, step, data) {
  let waiting = null;
  for await (const part of requestParts(data)) {
    if (waiting)
      await shop.json("PUT", `restore/slice?${new URLSearchParams({ ...step, more: "" })}`, waiting);
    waiting = part;
  }
  await shop.json("PUT", `restore/slice?${new URLSearchParams(step)}`, waiting);
}

/** @param {number} except chats of these that are not restored */
function summary({ tables, chats, objects }, except = 0) {
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0);
  return [counted(rows, "row"), counted(chats.count - except, "chat"), counted(objects.count, "file")].join(
    ", ",
  );
}
