// Measures the shop against its budgets and prints the table: node bench/run.mjs [section …] [--record].
import { chat, crowd } from "./chat.mjs";
import { chats } from "./chats.mjs";
import { cost, deployed, weight } from "./counts.mjs";
import { distance } from "./distance.mjs";
import { histories } from "./histories.mjs";
import { kills } from "./kills.mjs";
import { ledger } from "./ledger.mjs";
import { lighthouseScores } from "./lighthouse.mjs";
import { cached, rendered } from "./ratios.mjs";
import { receipts } from "./receipts.mjs";
import { outdated, record } from "./record.mjs";
import { search } from "./search.mjs";
import { print } from "./table.mjs";
import { upload } from "./upload.mjs";

const SECTIONS = {
  weight,
  deployed,
  cost,
  search,
  ledger,
  receipts,
  chats,
  upload,
  cached,
  rendered,
  chat,
  crowd,
  histories,
  kills,
  distance,
  lighthouse: lighthouseScores,
};

const words = process.argv.slice(2);
const isRecorded = words.includes("--record");
const wanted = words.filter((word) => word !== "--record");
const unknown = wanted.filter((name) => !(name in SECTIONS));
if (unknown.length)
  throw new Error(`Sections are ${Object.keys(SECTIONS).join(", ")}; not ${unknown.join(", ")}`);

const rows = [];
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.log(`Measuring: ${name} …`);
  try {
    const found = await measure();
    rows.push(...found);
    if (isRecorded) record(name, found);
    for (const { what, ours, ratio = "" } of found)
      console.log(`  ${what}: ${[ours, ratio].filter(Boolean).join(", ")}`);
  } catch (error) {
    console.error(error);
    rows.push({ what: name, ours: "could not be measured", budget: "", pass: false });
  }
}
console.log("");
print(rows);
const missed = rows.filter(({ pass }) => pass === false).length;
console.log(`\n${rows.length} rows, ${missed} missed`);
for (const line of outdated()) console.log(`docs/bench.md: ${line}`);
process.exit(missed ? 1 : 0);
