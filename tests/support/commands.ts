import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ENV, ROOT } from "../../scripts/local-shop.mjs";

/**
 * Runs a script of scripts/.
 *
 * @param env replaces variables of the environment
 * @returns what it prints, and its status
 */
export async function runScript(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ status: number; output: string }> {
  const all = { ...ENV, ...env } as NodeJS.ProcessEnv;
  const child = spawn("node", [join(ROOT, "scripts", name), ...args], { env: all });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  return { status, output };
}
