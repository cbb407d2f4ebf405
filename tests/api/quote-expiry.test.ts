import { expect, it, vi } from "vitest";
import { staffToken, startChat } from "../support/chat";
import { justBefore } from "../support/just-before";
import { json, type Refusal } from "../support/sales";
import { call } from "../support/shop";

const HOUR_MS = 3_600_000;

// Found by the simulation: seed 21, history 236.
it("tells that a quote has expired when it expires between the request and its write", async () => {
  const token = await staffToken();
  const { chatId, cookie } = await startChat({ userName: "Ines" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - HOUR_MS });
  const lines = [{ description: "Coaster", quantity: 1, amount: "9.00" }];
  const validUntil = new Date(Date.now() + HOUR_MS / 2).toISOString();
  const sent = { id: "late-quote", chatId, title: "Coasters", lines, validUntil };
  expect((await call("/api/quote", { json: sent, token })).status).toBe(201);

  justBefore(/update "quotes"/, async () => void vi.useRealTimers());
  const answer = await call("/api/quote/late-quote", {
    method: "PATCH",
    json: { state: "accepted" },
    cookie,
  });

  expect(answer.status).toBe(409);
  expect((await json<Refusal>(answer)).message).toBe("This quote has expired.");
});
