// Counts requests that `wrangler dev` loses between its proxy and an empty Worker: node bench/lost-requests.mjs [PORT]
// Sends bursts after pauses around five seconds, and breaks one connection during a request. Loopback only, about three minutes.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ENV, ROOT } from "../scripts/local-shop.mjs";

const PORT = process.argv[2] ?? "8799";
const URL_OF_WORKER = `http://127.0.0.1:${PORT}/`;
const BURST = 12;
const BURSTS = 30;
/** Pauses in milliseconds, around the time after which both sides close an idle connection. */
const pause = (burst) => 4_850 + (burst % 10) * 25;

const state = mkdtempSync(join(tmpdir(), "emporia-lost-"));
const config = join(ROOT, "bench/empty-worker/wrangler.toml");
const args = ["dev", "--config", config, "--ip", "127.0.0.1", "--port", PORT, "--persist-to", state];
const server = spawn(
  join(ROOT, "node_modules/.bin/wrangler"),
  [...args, "--show-interactive-dev-session=false"],
  {
    env: { ...ENV, WRANGLER_SEND_METRICS: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  },
);
let log = "";
for (const stream of [server.stdout, server.stderr])
  stream.on("data", (chunk) => {
    log = (log + chunk).slice(-50_000);
  });

try {
  await started();
  const lost = await bursts();
  console.log(`${lost} requests lost`);
  await breakOff();
  await sleep(2_000);
  console.log(server.exitCode === null ? "wrangler dev survived a broken connection" : "wrangler dev ended");
  process.exitCode = lost > 0 || server.exitCode !== null ? 1 : 0;
  if (process.exitCode) console.log(log.slice(-1_000));
} finally {
  server.kill();
  rmSync(state, { recursive: true, force: true });
}

async function started() {
  for (let tries = 0; tries < 120; tries++) {
    if (
      await fetch(URL_OF_WORKER).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await sleep(500);
  }
  throw new Error(`wrangler dev did not start:\n${log}`);
}

async function bursts() {
  let lost = 0;
  for (let burst = 0; burst < BURSTS; burst++) {
    const answers = await Promise.all(Array.from({ length: BURST }, () => status()));
    const failed = answers.filter((answer) => answer !== 200);
    if (failed.length) console.log(`burst ${burst} after ${pause(burst - 1)} ms: ${failed.join(" ")}`);
    lost += failed.length;
    if (server.exitCode !== null) {
      console.log("wrangler dev ended by itself");
      break;
    }
    await sleep(pause(burst));
  }
  return lost;
}

/** Uses a new connection each time, so that only those between proxy and Worker are kept. */
async function status() {
  try {
    const answer = await fetch(URL_OF_WORKER, { headers: { Connection: "close" } });
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return error.cause?.code ?? error.message;
  }
}

/** Announces a body and disconnects before sending it. */
function breakOff() {
  return new Promise((done) => {
    const socket = connect(Number(PORT), "127.0.0.1", () => {
      socket.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nhalf");
      setTimeout(() => socket.destroy(), 200);
    });
    socket.once("error", done);
    socket.once("close", done);
  });
}
