// Lighthouse with its mobile preset; median of several runs per page.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { findBrowser } from "../scripts/find-browser.mjs";
import { firstViews } from "./counts.mjs";
import { median } from "./load.mjs";
import { demoShop } from "./shops.mjs";
import { atMost } from "./table.mjs";

const RUNS = 5;
const BUDGETS = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
const MAX_SHIFT = 0.01;

/** Scores and layout shift of the three first views. */
export async function lighthouseScores() {
  const shop = await demoShop();
  const chrome = await launch({
    chromePath: await findBrowser(),
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const rows = [];
    for (const path of await firstViews(shop.url)) rows.push(...(await judge(shop.url, path, chrome.port)));
    return rows;
  } finally {
    chrome.kill();
    await shop.stop();
  }
}

async function judge(url, path, port) {
  const results = [];
  await lighthouse(url + path, { port });
  for (let run = 0; run < RUNS; run++) results.push((await lighthouse(url + path, { port })).lhr);
  const scores = Object.entries(BUDGETS).map(([name, budget]) => {
    const score = median(results.map(({ categories }) => Math.round(categories[name].score * 100)));
    return {
      what: `Lighthouse ${name} of ${path}`,
      ours: String(score),
      budget: `≥ ${budget}`,
      pass: score >= budget,
    };
  });
  printFlaws(results[0], path);
  const shift = median(results.map(({ audits }) => audits["cumulative-layout-shift"].numericValue));
  return [...scores, atMost(`layout shift of ${path}`, shift, MAX_SHIFT, "")];
}

/** Prints the audits that reduced the score. */
function printFlaws({ categories, audits }, path) {
  for (const { auditRefs, score } of Object.values(categories)) {
    if (score === 1) continue;
    for (const { id, weight } of auditRefs) {
      const audit = audits[id];
      if (weight > 0 && audit.score !== null && audit.score < 0.98)
        console.log(`  ${path}: ${audit.title} ${audit.displayValue ?? ""} (${audit.score})`);
    }
  }
}
