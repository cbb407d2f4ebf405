import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, inject } from "vitest";
import { LaggingD1 } from "./lagging-d1";
import { migrate } from "./migrate";

declare module "vitest" {
  interface ProvidedContext {
    /** Null where D1 has no replica that lags. */
    lagSeed: number | null;
  }
}

// A file that fails to import has run no afterAll. It has started no objects either, so that a reset is safe here.
if (await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first()) await reset();
const lagSeed = inject("lagSeed");
const lagging = lagSeed === null ? null : new LaggingD1(lagSeed);
await migrate();
await lagging?.replicate();
// Rooms keep it for some seconds, and the last file's rooms ran in this isolate too.
await env.ADMIN_ROOM.getByName("admin").repliesChanged();

// The binding answers calls of methods that it doesn't have. With one of its own vi.spyOn has something to put back: V8
// goes on calling the binding where a spy was deleted and set again.
if (!Object.hasOwn(env.MAIL, "send")) {
  const { send } = env.MAIL;
  Object.assign(env.MAIL, { send: (message: EmailMessage) => send(message) });
}

// The files share one workerd: each leaves empty storage behind. Not at the start of the next one, because an object that
// an alarm or a call starts while the last file ends asks Vitest for its module, and the lost answer fails the run.
afterAll(async () => {
  lagging?.stop();
  await reset();
});
