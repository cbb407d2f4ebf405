import { reset } from "cloudflare:test";
import { afterAll } from "vitest";
import { migrate } from "./migrate";

await migrate();

// The files share one workerd: each leaves empty storage behind. Not at the start of the next one, because an object that
// an alarm or a call starts while the last file ends asks Vitest for its module, and the lost answer fails the run.
afterAll(reset);
