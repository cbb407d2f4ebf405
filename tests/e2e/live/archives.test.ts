import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { differences, packSlice, unpackSlice } from "../../../app/features/backup/archive";
import { backupKey, prepare, serve } from "../../../scripts/local-shop.mjs";
import { IMAGES } from "../../fixtures/images";
import { entriesOf, readArchive, withEntries, writeArchive } from "../../support/archive-file";
import { runScript } from "../../support/commands";
import { factsOfOldest, unpackOldest } from "../../support/releases";
import { freePort, OWN_CONNECTION } from "../../support/running-shop";

/** Token of a manager in the archive, and what the shop answered. */
const { token, answers } = factsOfOldest();
/** More bytes than a Durable Object's SQLite takes as one value. */
const EMOJI_MESSAGES = 300;
const EMOJI = "🙂".repeat(2000);

const folder = mkdtempSync(join(tmpdir(), "emporia-archives-"));
const at = (name: string) => join(folder, name);
const OLD = unpackOldest(folder);
/** Shop of the older release's archive, which the first tests share. */
let old: Served | undefined;
test.afterAll(async () => {
  await old?.stop();
  rmSync(folder, { recursive: true, force: true });
});
// Each test goes on with the shop and the archive of the one before.
test.describe.configure({ mode: "serial", timeout: 300_000 });

const backup = (...args: string[]) => runScript("backup.mjs", args);
/** Lists what a command says, without its progress. */
const linesOf = ({ output }: { output: string }) =>
  output
    .trim()
    .split("\n")
    .filter((line) => !line.endsWith(" …"));
const check = (state: string) => runScript("check-ledger.mjs", [], { STATE_DIR: state });

interface Served {
  send(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, json: object, headers?: Record<string, string>): Promise<Response>;
  operate(method: string, path: string, body?: BodyInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Serves a shop. */
async function start(state: string): Promise<Served> {
  const port = await freePort();
  // Thousands of messages in a few seconds.
  const { child, ready } = serve({ port, stateDir: state, vars: { CHAT_MESSAGES_IN_10_SECONDS: "100000" } });
  await ready;
  const send = (path: string, { headers, ...init }: RequestInit = {}) =>
    fetch(`http://localhost:${port}${path}`, {
      ...init,
      headers: {
        Origin: `http://localhost:${port}`,
        ...Object.fromEntries(new Headers(headers)),
        ...OWN_CONNECTION,
      },
    });
  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    send(path, {
      method: "POST",
      body: JSON.stringify(json),
      headers: { "Content-Type": "application/json", ...headers },
    });
  const operate = (method: string, path: string, body?: BodyInit) =>
    send(`/operator/${path}`, {
      method,
      headers: { Authorization: `Bearer ${backupKey(state)}` },
      ...(body !== undefined && { body }),
    });
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { send, post, operate, stop };
}

/** Serves a shop while a function runs. */
async function withShop<T>(state: string, use: (shop: Served) => Promise<T>): Promise<T> {
  const shop = await start(state);
  try {
    return await use(shop);
  } finally {
    await shop.stop();
  }
}

const asManager = { Authorization: `Bearer ${token}` };
let visitor: { chatId: string; cookie: string };

test("an archive of an older release is restored with its migrations, and gets the later ones", async () => {
  expect(await backup("restore", "--state", at("old"), OLD)).toMatchObject({
    status: 0,
    output: expect.stringMatching(
      /restored\nThe archive is of an older version, .*\nApplying (\d+ migrations): 00.*\.sql …\n\1 applied\n/,
    ),
  });
  expect(await check(at("old"))).toMatchObject({ status: 0 });
  const files = (await entriesOf(await readArchive(OLD))).filter(({ name }) =>
    name.startsWith("objects/prod"),
  );
  expect(files).not.toHaveLength(0);
  old = await start(at("old"));
  const { send } = old;
  expect((await send("/readyz")).status).toBe(200);
  for (const [path, answer] of Object.entries(answers))
    expect(await (await send(path, { headers: asManager })).json(), path).toMatchObject(answer);
  for (const { name, data } of files) {
    const key = encodeURIComponent(name.slice("objects/".length));
    const stored = await send(`/api/storage/object?key=${key}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(data), name).toBe(true);
  }
});

test("backup:verify accepts an archive of an older release", async () => {
  const { status, output } = await backup("verify", OLD);
  expect([status, output]).toEqual([0, expect.stringContaining("equal after a restore")]);
  expect(output).toContain("No row, chat or file is lost by the later migrations");
});

test("an archive of a newer release is refused", async () => {
  const { manifest, slices } = await readArchive(OLD);
  const migrations = [...manifest.migrations, "9999_later.sql"];
  await writeArchive(at("newer.tar"), { slices, manifest: { ...manifest, migrations } });
  const newer = {
    status: 1,
    output: "The archive is of a newer version of the shop: this one has no migration 9999_later.sql.\n",
  };
  expect(await backup("restore", "--state", at("none"), at("newer.tar"))).toEqual(newer);
  expect(await backup("verify", at("newer.tar"))).toEqual(newer);
});

/** Begins a chat. @returns its id, and the cookie that opens it */
async function begin({ post }: Served): Promise<{ chatId: string; cookie: string }> {
  const made = await post("/api/chat/create", { initialMessage: "Hello" });
  const cookies = made.headers.getSetCookie().map((one) => one.split(";")[0]);
  const { chatId } = (await made.json()) as { chatId: string };
  return { chatId, cookie: cookies.join("; ") };
}

test("a chat of 300 messages of 2,000 emoji is backed up and verified", async () => {
  const shop = old ?? (await start(at("old")));
  visitor = await begin(shop);
  const { chatId, cookie } = await begin(shop);
  const message = { chatId, message: EMOJI, isFromAdmin: false };
  for (let i = 0; i < EMOJI_MESSAGES; i += 50)
    for (const { status } of await Promise.all(
      Array.from({ length: 50 }, () => shop.post("/api/chat/message", message, { Cookie: cookie })),
    ))
      expect(status).toBe(201);
  expect(await backup("backup", "--state", at("old"), at("long.tar"))).toMatchObject({ status: 0 });
  await shop.stop();
  const verified = await backup("verify", at("long.tar"));
  expect([verified.status, verified.output]).toEqual([0, expect.stringContaining("equal after a restore")]);
});

/** Creates an empty shop. */
function createShop(name: string): void {
  if (!existsSync(at("empty"))) prepare(at("empty"), { seed: false });
  cpSync(at("empty"), at(name), { recursive: true });
}

test("an archive of an older release is refused by a shop that has later migrations", async () => {
  createShop("damaged");
  const refused = await backup("restore", "--state", at("damaged"), OLD);
  expect(refused).toMatchObject({ status: 1, output: expect.stringContaining("Restore into a new folder") });
});

test("a damaged chat is named, and the long one and the others are restored, by a repetition too", async () => {
  const entry = (chatId: string) => `chats/${encodeURIComponent(chatId)}/`;
  const damaged = await withEntries(await readArchive(at("long.tar")), ({ name, data, ...more }) => ({
    name,
    data: name.startsWith(entry(visitor.chatId))
      ? new TextEncoder().encode(new TextDecoder().decode(data).replace('"sender_name"', '"no_such_column"'))
      : data,
    ...more,
  }));
  await writeArchive(at("damaged.tar"), damaged);
  const { manifest, slices } = await readArchive(at("damaged.tar"));
  await withShop(at("damaged"), async ({ operate }) => {
    const begun = await operate("POST", "restore", JSON.stringify(manifest));
    const { token: first } = (await begun.json()) as { token: string };
    // All but the last slice, as a command that is killed before the end.
    for (const [i, slice] of slices.slice(0, -1).entries())
      expect((await operate("PUT", `restore/slice?token=${first}&slice=${i}`, slice)).status).toBe(200);
    const { status, output } = await backup(
      "restore",
      "--take-over",
      "--state",
      at("damaged"),
      at("damaged.tar"),
    );
    expect([status, output]).toEqual([1, expect.stringContaining(`The chat ${visitor.chatId} could not be`)]);
    expect(output).toContain("no_such_column");
    expect(output.match(/could not be restored/g)).toHaveLength(1);
    expect(await backup("backup", "--state", at("damaged"), at("again.tar"))).toMatchObject({ status: 0 });
  });
  const verified = await backup("verify", at("damaged.tar"));
  const { tables, chats: archived, objects } = manifest;
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0);
  const others = `${rows.toLocaleString("en")} rows, ${archived.count - 1} chats, ${objects.count} files`;
  expect([verified.status, linesOf(verified)]).toEqual([
    1,
    [
      expect.stringContaining(`The chat ${visitor.chatId} could not be restored: `),
      `Everything else is equal after a restore: ${others}`,
    ],
  ]);
  const files = async (path: string) =>
    (await entriesOf(await readArchive(path))).filter(({ name }) => !name.startsWith(entry(visitor.chatId)));
  const [before, after] = [await files(at("long.tar")), await files(at("again.tar"))];
  const chats = (entries: typeof before) =>
    new Map(
      entries.filter(({ name }) => name.startsWith("chats/")).map(({ name, data }) => [name, String(data)]),
    );
  expect(chats(after)).toEqual(chats(before));
});

test("a chat that is not in an archive is named once, and what else differs is counted", async () => {
  const archive = await readArchive(at("long.tar"));
  const isOfChat = ({ name }: { name: string }) =>
    name.startsWith(`chats/${encodeURIComponent(visitor.chatId)}/`);
  const slices = [];
  for (const slice of archive.slices)
    slices.push(await packSlice((await unpackSlice(slice)).filter((entry) => !isOfChat(entry))));
  const { chats, tables } = archive.manifest;
  const manifest = {
    ...archive.manifest,
    damaged: [{ id: visitor.chatId, error: "database disk image is malformed" }],
    chats: { ...chats, count: chats.count - 1 },
  };
  await writeArchive(at("without.tar"), { slices, manifest });
  const missing = `The chat ${visitor.chatId} is not in the archive: database disk image is malformed`;
  const verified = await backup("verify", at("without.tar"));
  expect([verified.status, linesOf(verified)]).toEqual([
    1,
    [
      missing,
      expect.stringMatching(`^Everything else is equal after a restore: .* ${chats.count - 1} chats?, `),
    ],
  ]);
  const products = { count: 0, bytes: 0, ...tables.products, sha256: "another" };
  const other = { ...manifest, tables: { ...tables, products } };
  await writeArchive(at("without.tar"), { slices, manifest: other });
  const differing = await backup("verify", at("without.tar"));
  expect([differing.status, linesOf(differing)]).toEqual([
    1,
    [
      missing,
      expect.stringMatching(/^table products: \d+ in the archive, \d+ restored$/),
      "1 other part differs.",
    ],
  ]);
});

test("a chat that was deleted during the backup is named, and the rest is equal", async () => {
  const archive = await readArchive(at("long.tar"));
  const ofChat = `chats/${encodeURIComponent(visitor.chatId)}/`;
  const slices = [];
  for (const slice of archive.slices) {
    const entries = await unpackSlice(slice);
    const left = entries.filter(({ name }) => !name.startsWith(ofChat) || name === `${ofChat}000000000.json`);
    const gone = left.map((entry) =>
      entry.name.startsWith(ofChat) ? { ...entry, data: new TextEncoder().encode("null") } : entry,
    );
    slices.push(await packSlice(gone));
  }
  await writeArchive(at("gone.tar"), { slices, manifest: archive.manifest });
  const named = `The chat ${visitor.chatId} was deleted during the backup, or had lost its messages: a restore leaves it out`;
  const verified = await backup("verify", at("gone.tar"));
  const { count } = archive.manifest.chats;
  const equal = expect.stringMatching(` ${count - 1} chats?, .*: equal after a restore$`);
  expect([verified.status, linesOf(verified)]).toEqual([0, [named, equal]]);
  const restored = await backup("restore", "--state", at("gone"), at("gone.tar"));
  expect([restored.status, linesOf(restored)]).toEqual([0, expect.arrayContaining([named])]);
});

/** Finds a product of the archive of long chats. */
async function firstProduct(): Promise<string> {
  const archive = await readArchive(at("long.tar"));
  const page = (await entriesOf(archive)).find(({ name }) => name.startsWith("tables/products/"));
  const [row = "[]"] = new TextDecoder().decode(page?.data).split("\n");
  return JSON.parse(row).flat()[archive.manifest.columns.products?.indexOf("id") ?? 0];
}

test("whatever is written during a restore is refused, and the restore ends as if nothing had been", async () => {
  const { manifest, slices } = await readArchive(at("long.tar"));
  const productId = await firstProduct();
  createShop("guarded");
  copyFileSync(join(at("old"), "cookie-secret"), join(at("guarded"), "cookie-secret"));
  const statuses = async (writes: Promise<Response>[]) =>
    (await Promise.all(writes)).map(({ status }) => status);
  await withShop(at("guarded"), async ({ send, post, operate }) => {
    const byAnybody = () => [
      post("/api/auth/signup", {
        firstName: "Ann",
        lastName: "Lee",
        email: "ann@mail.example",
        password: "Password1!",
      }),
      post("/api/chat/create", { initialMessage: "Hello" }),
    ];
    const form = (fields: Record<string, string>, file: File) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append("files", file);
      return body;
    };
    const picture = new File([Buffer.from(IMAGES.opaquePng, "base64")], "lamp.png");
    const byThePeopleOfTheArchive = () => [
      post(
        "/api/chat/message",
        { chatId: visitor.chatId, message: "Hi", isFromAdmin: false },
        { Cookie: visitor.cookie },
      ),
      send("/api/chat/message", {
        method: "POST",
        body: form({ chatId: visitor.chatId, isFromAdmin: "false" }, picture),
        headers: { Cookie: visitor.cookie },
      }),
      send(`/api/product/${productId}`, {
        method: "PUT",
        body: JSON.stringify({ stock: 3 }),
        headers: { ...asManager, "Content-Type": "application/json" },
      }),
      send("/api/storage/upload", { method: "POST", body: form({ productId }, picture), headers: asManager }),
    ];
    // The schema is found complete, which an isolate trusts for a while.
    const email = "nobody@mail.example";
    expect((await post("/api/auth/login", { email, password: "x" })).status).toBe(401);
    const begun = await operate("POST", "restore", JSON.stringify(manifest));
    const { token: process } = (await begun.json()) as { token: string };
    expect(await statuses(byAnybody()), "at the beginning").toEqual([503, 503]);
    for (const [i, slice] of slices.entries()) {
      expect((await operate("PUT", `restore/slice?token=${process}&slice=${i}`, slice)).status).toBe(200);
      if (i === slices.length - 1) continue;
      expect(await statuses(byAnybody()), `after slice ${i}`).toEqual([503, 503]);
    }
    expect(await statuses([...byAnybody(), ...byThePeopleOfTheArchive()]), "before the end").toEqual(
      Array(6).fill(503),
    );
    expect((await operate("POST", `restore/end?token=${process}`)).status).toBe(200);
    expect(await backup("backup", "--state", at("guarded"), at("guarded.tar"))).toMatchObject({ status: 0 });
  });
  expect(await check(at("guarded"))).toMatchObject({ status: 0 });
  expect(differences(manifest, (await readArchive(at("guarded.tar"))).manifest)).toEqual([]);
});
