// CPU time of receipts as PDF, of the whole engine: requests and database included.
import { execFileSync } from "node:child_process";
import { cpuOf } from "./cpu.mjs";
import { signIn } from "./ledger.mjs";
import { demoShop } from "./shops.mjs";
import { atMost } from "./table.mjs";

const MAX_MS_A_PAGE = 50;
const REQUESTS = 40;
const RECEIPTS_A_FILE = 20;

/** One receipt, and many in one file; the first request of the shop, which loads library and fonts, is reported apart. */
export async function receipts() {
  const shop = await demoShop();
  try {
    const headers = { Authorization: `Bearer ${await signIn(shop.url)}` };
    const documents = await (
      await fetch(`${shop.url}/api/sale?limit=${RECEIPTS_A_FILE}`, { headers })
    ).json();
    const one = `/receipts/${documents[0].id}.pdf`;
    const many = `/receipts.pdf?ids=${documents.map(({ id }) => id).join()}`;
    const spent = (path, times) => cpuOfRequests(shop, path, headers, times);
    const first = await spent(one, 1);
    await spent(many, 2);
    const [single, together] = [await spent(one, REQUESTS), await spent(many, REQUESTS / 4)];
    return [
      {
        what: "CPU time of the first receipt as PDF",
        ours: `${Math.round(first)} ms`,
        budget: "",
        pass: null,
      },
      atMost("CPU time of a receipt as PDF, one page", single, MAX_MS_A_PAGE, " ms"),
      atMost(
        `the same for each of ${documents.length} in one file`,
        together / documents.length,
        MAX_MS_A_PAGE,
        " ms",
      ),
    ];
  } finally {
    await shop.stop();
  }
}

/** @returns {Promise<number>} milliseconds a request */
async function cpuOfRequests({ url, pid }, path, headers, times) {
  const before = cpuOf(pid);
  for (let i = 0; i < times; i++) {
    const answer = await fetch(url + path, { headers });
    if (answer.headers.get("Content-Type") !== "application/pdf")
      throw new Error(`${path}: ${answer.status}`);
    await answer.arrayBuffer();
  }
  return ((cpuOf(pid) - before) * millisecondsATick()) / times;
}

const millisecondsATick = () => 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
