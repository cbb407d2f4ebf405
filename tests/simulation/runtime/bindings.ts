import type { Scheduler } from "./scheduler";

interface StoredObject {
  key: string;
  bytes: Uint8Array<ArrayBuffer>;
  httpMetadata: R2HTTPMetadata | undefined;
  customMetadata: Record<string, string> | undefined;
  uploaded: Date;
}

/** R2 of the simulation. */
export class SimulatedBucket {
  #objects = new Map<string, StoredObject>();

  constructor(private readonly scheduler: Scheduler) {}

  reset(): void {
    this.#objects.clear();
  }

  binding(): R2Bucket {
    const call = <T>(label: string, run: () => T | Promise<T>) => this.scheduler.call("R2", label, run);
    return {
      get: (key: string) => call(`get ${key}`, () => bodyOf(this.#objects.get(key))),
      head: (key: string) => call(`head ${key}`, () => headOf(this.#objects.get(key))),
      put: async (key: string, content: BodyInit, options: R2PutOptions = {}) => {
        // The body arrives before the object is stored.
        const bytes = new Uint8Array(await new Response(content).arrayBuffer());
        return call(`put ${key}`, () => this.#put(key, bytes, options));
      },
      delete: (keys: string | string[]) =>
        call(`delete ${[keys].flat().length}`, () => {
          for (const key of [keys].flat()) this.#objects.delete(key);
        }),
      list: (options: R2ListOptions = {}) => call("list", () => this.#list(options)),
    } as unknown as R2Bucket;
  }

  #put(key: string, bytes: Uint8Array<ArrayBuffer>, options: R2PutOptions) {
    const { customMetadata } = options;
    const httpMetadata = options.httpMetadata as R2HTTPMetadata | undefined;
    const object = { key, bytes, httpMetadata, customMetadata, uploaded: new Date() };
    this.#objects.set(key, object);
    return headOf(object);
  }

  #list({ prefix = "", startAfter = "", limit = 1000, delimiter }: R2ListOptions) {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix) && key > startAfter).sort();
    const folderOf = (key: string) => {
      const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
      return end < 0 ? null : key.slice(0, end + 1);
    };
    const objects = keys.filter((key) => folderOf(key) === null).slice(0, limit);
    const delimitedPrefixes = [...new Set(keys.flatMap((key) => folderOf(key) ?? []))];
    return {
      objects: objects.map((key) => headOf(this.#objects.get(key))),
      delimitedPrefixes,
      truncated: false,
    };
  }
}

function headOf(object: StoredObject | undefined) {
  if (!object) return null;
  const { bytes, ...head } = object;
  return { ...head, size: bytes.byteLength };
}

function bodyOf(object: StoredObject | undefined) {
  if (!object) return null;
  const content = new Response(object.bytes);
  return Object.assign(content, headOf(object));
}

const unlimited = { limit: async () => ({ success: true }) };

/** Bindings beside D1, R2 and the objects: mail, rate limits and variables. @param mailed recipients of the mails that arrive */
export const otherBindings = (scheduler: Scheduler, mailed: string[]) => ({
  MAIL: {
    send: ({ to }: { to: string }) => scheduler.call("mail", to, () => void mailed.push(to)),
  },
  VAPID_PUBLIC_KEY: "the public key of the simulation",
  VAPID_PRIVATE_KEY: "the private key of the simulation",
  COOKIE_SECRET: "a secret that only the simulation knows and that is long enough",
  BACKUP_KEY: "a key that only the simulation knows, of 32 bytes or more",
  SHOP_NAME: "Emporia",
  SHOP_URL: "http://localhost:8787",
  SHOP_TIMEZONE: "America/Toronto",
  SHOP_HOURS: "Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed",
  SUPPORT_EMAIL: "hello@emporia.example",
  MAIL_FROM: "no-reply@emporia.example",
  EDGE_CACHE: "off",
  // The model sends more than a person would in ten seconds.
  CHAT_MESSAGES_IN_10_SECONDS: "1000",
  ...Object.fromEntries(
    [
      "LOGIN_ACCOUNT",
      "LOGIN_ADDRESS",
      "SIGNUP_ADDRESS",
      "FORGOT_ACCOUNT",
      "FORGOT_ADDRESS",
      "CHAT_CREATE_ADDRESS",
      "LIVE_JOINS_ADDRESS",
      "CHAT_FILES_ADDRESS",
      "PUSH_ADDRESS",
      "API_KEY",
    ].map((name) => [`LIMIT_${name}`, unlimited]),
  ),
});
