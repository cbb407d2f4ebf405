import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import worker from "worker-under-test";
import { startChat } from "../support/chat";
import { pdfFile, postFiles } from "../support/chat-files";
import { countedCalls } from "../support/counted-calls";
import { measuredD1 } from "../support/measured-d1";
import { person } from "../support/people";
import { pressWith, unzipped } from "../support/personal-data";

/** Half of what the platform takes of an invocation, Workers Paid: queries of D1 are among them. */
const HALF = 5000;
/** Chats of a person whose download stays within that. */
const CHATS = 1500;

/** Counts what a request asks of rooms, bucket and D1. */
async function subrequestsOf(request: Request) {
  let calls = 0;
  const count = () => calls++;
  const { database, most } = measuredD1(env.DB);
  const room = (name: string) => countedCalls(env.CHAT_ROOM.getByName(name), count);
  const services = {
    DB: database,
    BUCKET: countedCalls(env.BUCKET, count),
    CHAT_ROOM: { getByName: room } as unknown as Env["CHAT_ROOM"],
  };
  const context = createExecutionContext();
  const sent = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { ...env, ...services },
    context,
  );
  // The archive is written while it is read.
  const answer = new Response(await sent.arrayBuffer(), { headers: sent.headers });
  await waitOnExecutionContext(context);
  return { answer, subrequests: calls + most.queries };
}

it(`half of an invocation's subrequests is enough for a download of ${CHATS} chats, each with a file in ten`, async () => {
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  const ines = await person({ firstName: "Ines" });
  const download = async () => {
    const sent = await pressWith(ines, /^Download my data$/);
    const url = new URL(sent.headers.get("Location") ?? "", "http://localhost:8787");
    return subrequestsOf(new Request(url, { headers: { Authorization: `Bearer ${ines.token}` } }));
  };
  const ofAccount = (await download()).subrequests;
  const chats = 10;
  for (let i = 0; i < chats; i++) {
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, ines);
    if (i === 0) await postFiles({ chatId, token: ines.token }, [pdfFile("plan.pdf")]);
  }
  const { answer, subrequests } = await download();
  const files = Object.keys(await unzipped(answer));
  expect(files.filter((name) => /chat\.json$|plan\.pdf$/.test(name))).toHaveLength(chats + 1);
  const ofChat = (subrequests - ofAccount) / chats;
  expect(ofChat).toBeGreaterThan(1);
  expect(ofAccount + CHATS * ofChat).toBeLessThanOrEqual(HALF);
});
