// Rows of the result table and their formatting.

/**
 * @typedef {{ what: string, ours: string, reference?: string, ratio?: string, budget: string, pass: boolean | null }} Row
 *   `pass` is null for a row without a budget
 */

const COLUMNS = ["what", "ours", "reference", "ratio", "budget", "verdict"];

/**
 * Creates a row that passes when a number is at most its budget.
 *
 * @param {string} what
 * @param {number} value
 * @param {number} budget
 * @param {string} unit written after both
 * @returns {Row}
 */
export function atMost(what, value, budget, unit) {
  return {
    what,
    ours: `${number(value)}${unit}`,
    budget: `≤ ${number(budget)}${unit}`,
    pass: value <= budget,
  };
}

/** @param {Row} row @returns {string[]} its cells, in the order of the columns */
export const cellsOf = ({ what, ours, reference = "", ratio = "", budget, pass }) => [
  what,
  ours,
  reference,
  ratio,
  budget,
  pass === null ? "reported" : pass ? "pass" : "missed",
];

/** @param {Row[]} rows */
export function print(rows) {
  const cells = rows.map(cellsOf);
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i].length)));
  const line = (row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]))
      .join("  ")
      .trimEnd();
  console.log([COLUMNS, widths.map((width) => "─".repeat(width)), ...cells].map(line).join("\n"));
}

/** @param {number} value to three or so digits */
export function number(value) {
  return Number.isInteger(value) ? value.toLocaleString("en-CA") : value.toFixed(value < 10 ? 2 : 1);
}
