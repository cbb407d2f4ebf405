// npm start: installs, builds, migrates, seeds an empty shop and serves it. PORT (8787) and STATE_DIR are honoured.
import { collectMail } from "./collect-mail.mjs";
import {
  build,
  DEMO_SIGN_INS,
  install,
  localSecrets,
  prepare,
  requireFolder,
  requirePort,
  serve,
  stateDirectory,
} from "./local-shop.mjs";
import { watchParent } from "./parent-process.mjs";

const stateDir = stateDirectory();
requireFolder(stateDir, "npm start");
const port = await requirePort("npm start");

install();
build();
prepare(stateDir);
// Only now, since it needs packages.
const { scheduleNightly } = await import("./nightly.mjs");
const { child, ready } = serve({ port, stateDir, vars: localSecrets() });
const stopTasks = [collectMail(stateDir, `http://localhost:${port}`)];

let stopping = false;
const stop = () => {
  stopping = true;
  child.kill("SIGTERM");
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
// Started by npm; `node scripts/start.mjs &` outlives its terminal.
if (process.env.npm_lifecycle_event) watchParent(stop);
child.on("exit", (code) => {
  for (const stopTask of stopTasks) stopTask();
  process.exitCode = stopping ? 0 : (code ?? 1);
});

try {
  await ready;
  stopTasks.push(scheduleNightly(stateDir));
  console.log(`\nEmporia is open at http://localhost:${port}\n\nDemo sign-ins:`);
  for (const { role, email, password } of DEMO_SIGN_INS)
    console.log(`  ${role.padEnd(9)} ${email}  ${password}`);
  console.log(`\nMails are written to ${stateDir}/mail. Stop with Ctrl-C.`);
  child.stdout.on("data", reportErrors);
  child.stderr.on("data", reportErrors);
} catch (error) {
  if (!stopping) console.error(error.message);
}

/** Prints errors and warnings, without request logs and aborted connections. */
function reportErrors(chunk) {
  for (const line of String(chunk).split("\n")) {
    if (/error|exception|warn/i.test(line) && !/disconnected:|connection lost/i.test(line))
      console.error(line);
  }
}
