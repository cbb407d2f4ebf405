/** Regions in which Cloudflare places a Durable Object on request. */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;

const isRegion = (name: string): name is (typeof REGIONS)[number] =>
  (REGIONS as readonly string[]).includes(name);

/** Returns whether SHOP_REGION is empty or a region of Cloudflare. */
export const isValidRegion = ({ SHOP_REGION = "" }: Pick<Env, "SHOP_REGION">): boolean =>
  SHOP_REGION === "" || isRegion(SHOP_REGION);

/**
 * Places an object that belongs to the shop in the shop's region. An object stays where it is first used, which otherwise
 * is near the visitor who happens to cause it. (A chat's room belongs to its visitor and is created near them.)
 */
function placement({ SHOP_REGION = "" }: Env): DurableObjectNamespaceGetDurableObjectOptions {
  return isRegion(SHOP_REGION) ? { locationHint: SHOP_REGION } : {};
}

/** Returns the room of the consoles, or another object of its class. @param name of a webhook's deliveries, or of a collector */
export const adminRoom = (env: Env, name = "admin") => env.ADMIN_ROOM.getByName(name, placement(env));

/** Objects that share the rows of chats. Each takes about a thousand calls a second. */
const COLLECTORS = 4;

/** Returns the object that writes a chat's row with those of other chats (docs/decisions/0066-collected-rows.md). */
export function rowCollector(env: Env, chatId: string) {
  const sum = [...chatId].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return adminRoom(env, `rows ${sum % COLLECTORS}`);
}

/** Returns the object that makes the nightly backup, or another one of its class. @param name of a nightly job's object */
export const nightlyBackup = (env: Env, name = "nightly") =>
  env.NIGHTLY_BACKUP.getByName(name, placement(env));

/** Returns a lobby, which visitors from everywhere share. */
export const lobby = (env: Env, name: string) => env.LOBBY.getByName(name, placement(env));
