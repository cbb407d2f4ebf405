import { env } from "cloudflare:workers";
import { NextStep, type NightlyJob } from "~/http/nightly-job.server";
import { countedCalls } from "./counted-calls";
import { type D1Most, measuredD1 } from "./measured-d1";

/**
 * Runs all steps of a nightly job.
 *
 * @param bindings of each step, for instance ones that count
 * @returns the last result, with the number of things that all steps did if it is a number
 */
export async function allSteps(job: NightlyJob, bindings: () => Env): Promise<unknown> {
  let done = 0;
  for (let cursor: string | undefined; ; ) {
    const result = await job(bindings(), cursor);
    if (!(result instanceof NextStep)) return typeof result === "number" ? done + result : result;
    ({ cursor } = result);
    done += result.done;
  }
}

/** Calls of a step: to chat rooms, to the bucket, mails, queries of D1, and all of these. */
export interface Asked {
  rooms: number;
  objects: number;
  mails: number;
  queries: number;
  subrequests: number;
  d1: D1Most;
}

/** Runs all steps of a job. @returns its result, and what each step asked */
export async function measuredSteps(job: NightlyJob) {
  const steps: Asked[] = [];
  const result = await allSteps(job, () => {
    const { database, most } = measuredD1(env.DB);
    const counts = { rooms: 0, objects: 0, mails: 0 };
    steps.push({
      get rooms() {
        return counts.rooms;
      },
      get objects() {
        return counts.objects;
      },
      get mails() {
        return counts.mails;
      },
      d1: most,
      get queries() {
        return most.queries;
      },
      get subrequests() {
        return counts.rooms + counts.objects + counts.mails + most.queries;
      },
    });
    const room = (name: string) => {
      counts.rooms++;
      return env.CHAT_ROOM.getByName(name);
    };
    const send = (message: Parameters<typeof env.MAIL.send>[0]) => {
      counts.mails++;
      return env.MAIL.send(message);
    };
    const bucket = countedCalls(env.BUCKET, () => counts.objects++);
    const services = { DB: database, BUCKET: bucket, CHAT_ROOM: { getByName: room }, MAIL: { send } };
    return { ...env, ...services } as unknown as Env;
  });
  return { result, steps };
}
