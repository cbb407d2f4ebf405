import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

const rows = async (query: string) => (await env.DB.prepare(query).all()).results;

/** Text of a value; bytes, as full-text tables have them, as Latin-1. */
const textOf = (value: unknown) =>
  Array.isArray(value) ? String.fromCharCode(...(value as number[])) : String(value);

/** Reads all tables, those of the full-text tables among them, by column. */
async function database(): Promise<Record<string, string>> {
  // Virtual tables have no content of their own; their search is asked below.
  const tables = await rows(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE '_cf_%'",
  );
  const names = tables.map(({ name }) => String(name));
  const contents = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  const places: Record<string, string> = {};
  for (const [i, { results }] of contents.entries())
    for (const row of results)
      for (const [column, value] of Object.entries(row))
        places[`${names[i]}.${column}`] = `${places[`${names[i]}.${column}`] ?? ""}\n${textOf(value)}`;
  return places;
}

const SEARCHES = [
  ...["user", "customer", "chat", "document", "invoice", "expense"].flatMap((name) => [
    `${name}_search`,
    `${name}_starts`,
  ]),
  "note_search",
];

/** Lists the full-text tables that find a text, or words with its beginning. */
export async function searchesThatFind(marker: string): Promise<string[]> {
  const known = (await rows("SELECT name FROM pragma_table_list WHERE type = 'virtual'")).map(
    ({ name }) => name,
  );
  const names = SEARCHES.filter((name) => known.includes(name));
  const results = await env.DB.batch<{ n: number }>(
    names.map((name) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${name} WHERE ${name} MATCH ?`).bind(
        name.endsWith("_starts") ? `${marker.slice(0, 2)}*` : `"${marker}"`,
      ),
    ),
  );
  return names.filter((_, i) => results[i]?.results[0]?.n !== 0);
}

/** Reads everything that an object of the live chat stores, as one text. */
const storageOf = (object: DurableObjectStub<undefined>) =>
  runInDurableObject(object, (_, { storage }) => {
    const names = storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*'")
      .toArray();
    return JSON.stringify(names.map(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray()));
  });

/** Reads all files with keys and metadata, as one text. */
async function bucket(): Promise<string> {
  const parts: string[] = [];
  for (const { key } of (await env.BUCKET.list()).objects) {
    const object = await env.BUCKET.get(key);
    parts.push(key, JSON.stringify(object?.customMetadata), (await object?.text()) ?? "");
  }
  return parts.join("\n");
}

/** Reads everything that the shop stores, by place, in lower case. @param chats whose rooms are read */
export async function everything(chats: string[]): Promise<[place: string, content: string][]> {
  const objects = [env.ADMIN_ROOM.getByName("admin"), ...chats.map((id) => env.CHAT_ROOM.getByName(id))];
  const rooms = await Promise.all(objects.map((object) => storageOf(object as never)));
  const places = { ...(await database()), rooms: rooms.join(), R2: await bucket() };
  return Object.entries(places).map(([place, content]) => [place, content.toLowerCase()]);
}

/** Lists the places that have a text. */
export const placesOf = (stored: [string, string][], marker: string) =>
  stored.filter(([, content]) => content.includes(marker)).map(([place]) => place);
