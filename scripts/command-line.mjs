// Reads the arguments of the project's commands.
import { parseArgs } from "node:util";

/**
 * Reads a command's arguments. Ends the process with the help when they ask for it, and with status 2 when they are wrong.
 *
 * @param {string} help
 * @param {import("node:util").ParseArgsOptionsConfig} options beside --help
 * @param {{ positionals?: boolean, numbers?: string[] }} more `positionals`: takes arguments without a name; `numbers`: names of
 *   the options that are whole numbers
 */
export function readArguments(help, options, { positionals = false, numbers = [] } = {}) {
  try {
    const read = parseArgs({
      allowPositionals: positionals,
      options: { ...options, help: { type: "boolean", short: "h" } },
    });
    if (read.values.help) endWith(0, help);
    for (const name of numbers)
      if (read.values[name] !== undefined && !/^\d{1,10}$/.test(read.values[name]))
        throw new Error(`--${name} takes a whole number of ten digits at most.`);
    return read;
  } catch (error) {
    return endWith(2, `${error.message}\n\n${help}`);
  }
}

function endWith(status, text) {
  console[status === 0 ? "log" : "error"](text);
  process.exit(status);
}
