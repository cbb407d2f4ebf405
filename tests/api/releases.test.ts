import { applyD1Migrations, type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type ArchiveEntry, type Manifest, unpackSlice } from "~/features/backup/archive";
import { shopTables } from "~/features/backup/snapshot.queries.server";
import type { RoomDump } from "~/features/chat/rooms";
import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import type { Facts } from "../releases/fill";
import type { Batch } from "../releases/writes";
import { messagesOf, postMessage } from "../support/chat";
import { LaggingD1 } from "../support/lagging-d1";
import { manifestOf, ok, operate } from "../support/operator";
import { sold } from "../support/sales";
import { call } from "../support/shop";

/** Columns whose values a later migration changes on purpose. */
const CHANGED_BY_MIGRATIONS: Record<string, string[]> = {
  // 0046_folded_names.sql
  customers: ["name_key"],
};

/** Tables to which a later migration adds rows: 0076_names.sql, and 0088_payments.sql as the last row of a new table. */
const EXTENDED_BY_MIGRATIONS = ["search_synonyms", "search_synonym_keys", "sqlite_sequence"];

/** Bytes of a room's rows; those of a release are few. */
const MAX_ROOM_BYTES = 10_000_000;

/** Longest time for which anything is kept open, with room to spare; milliseconds and amounts are not within it. */
const MAX_TERM_SECONDS = 100 * 86_400;

const inlined = (files: Record<string, string>) =>
  Object.entries(files).map(([path, url]) => {
    const [name = ""] = path.split("/").slice(-2);
    return { name, bytes: Uint8Array.from(atob(url.split(",")[1] ?? ""), (c) => c.charCodeAt(0)) };
  });
const ARCHIVES = inlined(
  import.meta.glob<string>("../releases/*/shop.tar.gz", {
    query: "?url&inline",
    import: "default",
    eager: true,
  }),
);
const WRITES = inlined(
  import.meta.glob<string>("../releases/*/writes.json.gz", {
    query: "?url&inline",
    import: "default",
    eager: true,
  }),
);
const RELEASES = ARCHIVES.map(({ name, bytes }, i) => ({
  name,
  archive: bytes,
  writes: WRITES[i]?.bytes ?? new Uint8Array(),
}));

const { MIGRATIONS } = env as Env & { MIGRATIONS: D1Migration[] };

/** Empties the shop, and applies migrations to it. */
async function emptyShop(migrations: D1Migration[]): Promise<void> {
  const { DB, DB_REPLICA, BUCKET } = env as Env & { DB_REPLICA: D1Database };
  const hasTables = (database: D1Database) =>
    database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  const isEmpty = async () =>
    !(await hasTables(DB)) &&
    !(await hasTables(DB_REPLICA)) &&
    (await BUCKET.list({ limit: 1 })).objects.length === 0;
  // On a busy machine one reset was found to leave D1, and another R2, as they were.
  do await reset();
  while (!(await isEmpty()));
  LaggingD1.current?.restart();
  await applyD1Migrations(env.DB, migrations);
}

/** Reads the slices of an archive in memory. */
function slicesOf(archive: Uint8Array<ArrayBuffer>, { slices }: Manifest): Uint8Array<ArrayBuffer>[] {
  let from = 0;
  return slices.map((bytes) => {
    from += bytes;
    return archive.slice(from - bytes, from);
  });
}

async function restore(manifest: Manifest, slices: Uint8Array<ArrayBuffer>[]): Promise<void> {
  const begun = await ok(operate("POST", "restore", JSON.stringify(manifest)));
  const { token } = (await begun.json()) as { token: string };
  for (const [i, slice] of slices.entries())
    await ok(operate("PUT", `restore/slice?token=${token}&slice=${i}`, slice));
  await ok(operate("POST", `restore/end?token=${token}`));
}

const unpacked = (packed: Uint8Array<ArrayBuffer>) =>
  new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));

/** Moves the deadlines of a release on by its age: its statements compare with unixepoch(). */
function laterBy(createdAt: string) {
  const recorded = Date.parse(createdAt) / 1000;
  const age = Math.floor(Date.now() / 1000 - recorded);
  const isWithin = (value: unknown, from: number) =>
    typeof value === "number" && value > from && value < from + MAX_TERM_SECONDS;
  const later = (value: unknown) => (isWithin(value, recorded) ? Number(value) + age : value);
  const back = (value: unknown): unknown => {
    // The audit log has them within its texts.
    if (typeof value === "string")
      return value.replaceAll(/\b\d{10}\b/g, (digits) => String(back(Number(digits))));
    return isWithin(value, recorded + age) ? Number(value) - age : value;
  };
  return { later, back };
}

const text = ({ data }: ArchiveEntry) => new TextDecoder().decode(data);

/** Tables that wait for the next version: it purges the pages that a former one has changed. */
const WAITING = ["page_changes", "sqlite_sequence"];

/**
 * Columns that D1 fills by its clock or with random numbers, those that are written to a row of such an id, and keys that an
 * earlier version makes in another form than today's.
 */
const MADE_ANEW: Record<string, string[]> = {
  audit_log: ["at"],
  customers: ["name_key", "sort_key"],
  stock_movements: ["id", "created_at"],
  products: ["stock_change"],
  units: ["stock_change"],
  documents: ["recorded_at"],
  webhook_deliveries: ["id", "due_at", "created_at", "data", "state", "attempts", "result", "attempted_at"],
};

/**
 * Reads the rows of every other table of the shop, without what is made anew.
 *
 * @param back brings deadlines of repeated writes back to those of the release
 */
async function rowsByTable(
  back: (value: unknown) => unknown = (value) => value,
): Promise<Record<string, string[]>> {
  const names = (await shopTables(env.DB)).map(({ name }) => name).filter((name) => !WAITING.includes(name));
  const read = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  const rowOf = (table: string, row: Record<string, unknown>) =>
    JSON.stringify(
      Object.entries(row).map(([column, value]) =>
        MADE_ANEW[table]?.includes(column) ? "made anew" : back(value),
      ),
    );
  return Object.fromEntries(
    names.map((name, i) => [name, (read[i]?.results ?? []).map((row) => rowOf(name, row)).sort()]),
  );
}

async function expectConsistent(): Promise<void> {
  for (const [name, check] of [...LEDGER_CHECKS.entries(), ...Object.entries(SALE_CHECKS)])
    expect((await env.DB.prepare(check).all()).results, String(name)).toEqual([]);
}

describe.each(RELEASES)("a shop of release $name", ({ archive, writes }) => {
  let manifest: Manifest;
  let entries: ArchiveEntry[];
  let facts: Facts;
  let batches: Batch[];
  let migratedRows: Record<string, string[]>;
  const of = (folder: string) => entries.filter(({ name }) => name.startsWith(`${folder}/`));

  beforeAll(async () => {
    ({ facts, batches } = await unpacked(writes).json<{ facts: Facts; batches: Batch[] }>());
    const bytes = new Uint8Array(await unpacked(archive).arrayBuffer());
    manifest = await manifestOf(bytes);
    const slices = slicesOf(bytes, manifest);
    entries = (await Promise.all(slices.map(unpackSlice))).flat();
    await emptyShop(MIGRATIONS.filter(({ name }) => manifest.migrations.includes(name)));
    await restore(manifest, slices);
    await applyD1Migrations(env.DB, MIGRATIONS);
    migratedRows = await rowsByTable();
  });

  it("keeps every row when it is migrated", async () => {
    for (const [table, columns] of Object.entries(manifest.columns)) {
      const lines = of(`tables/${table}`).flatMap((entry) => text(entry).trimEnd().split("\n"));
      const kept = columns.filter((column) => !CHANGED_BY_MIGRATIONS[table]?.includes(column));
      const rows = lines.map((line) => {
        const values = (JSON.parse(line) as unknown[][]).flat();
        return kept.map((column) => values[columns.indexOf(column)]);
      });
      const names = kept.map((column) => `"${column}"`).join(", ");
      const stored = await env.DB.prepare(`SELECT ${names} FROM "${table}"`).raw();
      // The table of migrations grows; the archive has its sequence alone.
      const sorted = (some: unknown[][]) =>
        some
          .filter(([first]) => first !== "d1_migrations")
          .map((row) => JSON.stringify(row))
          .sort();
      const expected = sorted(rows);
      expect(sorted(stored), table).toEqual(
        EXTENDED_BY_MIGRATIONS.includes(table) ? expect.arrayContaining(expected) : expected,
      );
    }
  });

  it("keeps every message and file", async () => {
    for (const entry of of("chats")) {
      const chatId = decodeURIComponent(entry.name.split("/")[1] ?? "");
      const { tables } = JSON.parse(text(entry)) as RoomDump;
      const stored = (await env.CHAT_ROOM.getByName(chatId).dump(0, MAX_ROOM_BYTES))?.tables ?? {};
      for (const [name, { columns, rows }] of Object.entries(tables)) {
        const { columns: current = [], rows: kept = [] } = stored[name] ?? {};
        const places = columns.map((column) => current.indexOf(column));
        expect(
          kept.map((row) => places.map((at) => row[at])),
          `${name} of ${chatId}`,
        ).toEqual(rows);
      }
      const { columns, rows } = tables.messages ?? { columns: [], rows: [] };
      const shown = await messagesOf(chatId, facts);
      const at = (column: string) => columns.indexOf(column);
      expect(shown.map(({ id, message, seq }) => [id, message, seq])).toEqual(
        rows.map((row) => [row[at("id")], row[at("message")], row[at("seq")]]),
      );
    }
    for (const { name, data } of of("objects")) {
      const object = await env.BUCKET.get(name.slice("objects/".length));
      expect(new Uint8Array((await object?.arrayBuffer()) ?? []), name).toEqual(data);
    }
  });

  it("keeps its sessions, figures and lists", async () => {
    for (const [path, answer] of Object.entries(facts.answers))
      expect(await (await call(path, facts)).json(), path).toMatchObject(answer as object);
    await expectConsistent();
  });

  it("goes on with sales and chats", async () => {
    const chat = decodeURIComponent(of("chats")[0]?.name.split("/")[1] ?? "");
    await ok(postMessage(chat, "Ready", facts, { isFromAdmin: true }));
    await sold(facts.token, { lines: [{ description: "Shade", quantity: 1, amount: 9 }] });
    await expectConsistent();
  });

  it("writes to the schema of today, before the next version is deployed and after a rollback", async () => {
    await emptyShop(MIGRATIONS);
    const { later, back } = laterBy(manifest.createdAt);
    for (const batch of batches)
      await env.DB.batch(batch.map(([sql, values]) => env.DB.prepare(sql).bind(...values.map(later)))).catch(
        (error) => {
          throw new Error(`${error.message}\n${JSON.stringify(batch)}`);
        },
      );
    const rows = await rowsByTable(back);
    for (const [table, migrated] of Object.entries(migratedRows))
      expect.soft(rows[table], table).toEqual(migrated);
    await expectConsistent();
  });
});
