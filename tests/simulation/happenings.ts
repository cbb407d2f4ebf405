import { readManifest, SLICE_HEADER } from "~/features/backup/archive";
import type { Command } from "./commands";
import type { Model } from "./model";
import type { Answer, ClientRequest } from "./runtime/world";

const HOUR_MS = 3_600_000;
/** End of summer time in Toronto: 1 November 2026, 02:00 there. */
const CHANGE_OF_CLOCKS = Date.UTC(2026, 10, 1, 6);
/** Attempts of an operator's script at each request. */
const ATTEMPTS = 5;

/** Sends a request of the operator, who tries again when the connection breaks. @returns null when that doesn't help */
async function operate(model: Model, request: ClientRequest): Promise<Answer | null> {
  const token = model.world.env.BACKUP_KEY ?? "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const path = `/operator/${request.path}`;
    const answer = await model.world.send({ ...request, path, token }).catch(() => null);
    if (answer && answer.status < 300) return answer;
  }
  return null;
}

async function backUp(model: Model): Promise<void> {
  const acknowledged = new Set(model.acts.filter(({ success }) => success !== undefined));
  const began = await operate(model, { method: "POST", path: "backup?take-over" });
  const slices: Uint8Array<ArrayBuffer>[] = [];
  let cursor = began?.text ?? "null";
  while (cursor !== "null") {
    const request = { method: "POST", path: "backup/slice", json: JSON.parse(cursor) };
    const answer = await operate(model, request);
    if (!answer) return;
    const bytes = Number(answer.headers.get(SLICE_HEADER));
    slices.push(new Uint8Array(answer.bytes.slice(0, bytes)));
    cursor = new TextDecoder().decode(answer.bytes.slice(bytes));
  }
  if (began) model.backup = { slices, acknowledged };
}

/** Restores the last backup into an empty shop. Nothing of the old one goes on, and people go on with the new one. */
async function restore(model: Model): Promise<void> {
  const { backup, world } = model;
  if (!backup) return;
  const { slices, acknowledged } = backup;
  world.empty();
  model.generation++;
  model.running = 1;
  const archive = new Uint8Array(await new Blob(slices).arrayBuffer());
  const manifest = await readManifest(archive.byteLength, async (from, count) =>
    archive.slice(from, from + count),
  );
  const { format, migrations, sha256 } = manifest;
  const json = { format, migrations, slices: manifest.slices, sha256 };
  const hadFaults = world.scheduler.hasFaults;
  // A restore that fails is begun anew into an empty shop, which is the same history as one that succeeds.
  world.scheduler.hasFaults = false;
  const began = await operate(model, { method: "POST", path: "restore?take-over", json });
  const { token, next } = JSON.parse(began?.text ?? "{}") as { token: string; next: number };
  for (const [n, bytes] of slices.slice(0, -1).entries())
    if (n >= next)
      await operate(model, { method: "PUT", path: `restore/slice?token=${token}&slice=${n}`, bytes });
  const ended = await operate(model, { method: "POST", path: `restore/end?token=${token}` });
  if (!ended) model.fail("A backup could not be restored");
  world.scheduler.hasFaults = hadFaults;
  model.forgetSince(acknowledged);
}

/** Events that nobody at the shop causes, and the work of its operator. */
export const HAPPENINGS: Record<string, Command> = {
  backUp,
  restore,

  async alarm(model) {
    model.setClock(model.world.objects.nextAlarm() ?? 0);
  },

  async evict({ world: { objects } }, [which]) {
    const loaded = objects.loaded();
    objects.evict(loaded[which % loaded.length] ?? "");
  },

  async abort({ world: { requests, scheduler } }, [which]) {
    const running = [...requests];
    const request = running[which % running.length];
    if (request) scheduler.endActor(request, "The client has disconnected.");
  },

  async replicate({ world: { d1 } }, [count]) {
    d1.replicate(count % 20);
  },

  async clock(model, [direction]) {
    model.past.observe();
    model.world.scheduler.now += direction % 2 === 0 ? HOUR_MS : -HOUR_MS;
  },

  async changeOfClocks(model) {
    model.setClock(CHANGE_OF_CLOCKS - 1000);
  },
};
