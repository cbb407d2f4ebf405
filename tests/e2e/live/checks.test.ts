import { expect, test } from "@playwright/test";
import { lockFolder, unlockFolder } from "../../../scripts/folder-lock.mjs";
import { runScript } from "../../support/commands";
import { fetchShop, type RunningShop, startShop } from "../../support/running-shop";

let shop: RunningShop;
test.beforeAll(async () => {
  shop = await startShop();
  // As npm start does: a check that opens the folder itself is refused.
  expect(lockFolder(shop.stateDir, "in-use")).toBe(null);
});
test.afterAll(async () => {
  unlockFolder(shop.stateDir, "in-use");
  await shop.stop();
});

/** Writes to the shop until it is stopped. @returns statuses of the answers */
function keepWriting() {
  const statuses: number[] = [];
  let isStopped = false;
  const write = async () => {
    for (let i = 0; !isStopped; i++) {
      const { status } = await fetchShop("/api/chat/create", {
        method: "POST",
        body: JSON.stringify({ initialMessage: `Hello ${i}` }),
        headers: {
          "Content-Type": "application/json",
          Origin: shop.url,
          "CF-Connecting-IP": `10.2.${i >> 8}.${i & 255}`,
        },
      });
      statuses.push(status);
    }
  };
  const ended = write();
  return {
    stop: async () => {
      isStopped = true;
      await ended;
      return statuses;
    },
  };
}

for (const [script, line] of [
  [
    "check-ledger.mjs",
    /^The ledger's sums agree with its rows\.\nStock, sales and chat sums are consistent\.\n$/,
  ],
  ["check-audit.mjs", /^The audit log is whole to row \d+, sha-256 \w+\.\n/],
] as const)
  test(`scripts/${script} asks a shop that runs and is written to`, async () => {
    const writes = keepWriting();
    const checked = await runScript(script, [], { STATE_DIR: shop.stateDir });
    const statuses = await writes.stop();
    expect(checked).toEqual({ status: 0, output: expect.stringMatching(line) });
    expect(statuses).not.toHaveLength(0);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });
