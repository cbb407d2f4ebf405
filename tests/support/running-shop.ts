import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { collectMail } from "../../scripts/collect-mail.mjs";
import { prepare, serve } from "../../scripts/local-shop.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the running demo shop, without a trailing slash. */
    shopUrl: string;
    /** Its state: mails are in mail/. */
    stateDir: string;
  }
}

/** Starts a freshly seeded shop on a free port and stops it when the tests are done. */
export default async function setup(project: TestProject) {
  const stateDir = mkdtempSync(join(tmpdir(), "emporia-shop-"));
  const port = await freePort();
  prepare(stateDir);
  const { child, ready } = serve({ port, stateDir });
  await ready;
  const fallen = (code: number | null) => console.error(`The shop under test ended (${code}).`);
  child.once("exit", fallen);
  const stopCollecting = collectMail(stateDir);
  project.provide("shopUrl", `http://localhost:${port}`);
  project.provide("stateDir", stateDir);
  return async () => {
    stopCollecting();
    child.off("exit", fallen);
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
  };
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
