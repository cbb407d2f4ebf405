import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesIn, read, SOURCE_FOLDERS } from "./sources";

const QUESTION_OPENING =
  /\/\*\*\s*\*?\s*(?:What|Whatever|Whether|Which|Who|Whoever|Whose|Where|Wherever|How|When)\b/;
const TAG_OPENING = /\/\*\*\s*\*?\s*@(?:param|returns|throws|yields)\b/;
/** Documents outside the repository, which readers of the code do not have. */
const OUTSIDE_DOCUMENT =
  /\b(?:the contract\b|contract: |spec \d|\(spec\b|the spec\b|back office \d|budgets: |look: |issue \d)/i;
/** Clauses that need a second reading. */
const SECOND_READING = /\b(?:as far as|of which|whoever|by then|from behind)\b/i;
const TITLE = /^(?:it|test|describe)(?:\.\w+)*\(/;
const TABLE = /sqliteTable\(\s*"(\w+)"/g;
/** Retired names with the terms to use. */
const RETIRED: Record<string, string> = {
  "\\b[sS]hel(?:f|ves)\\w*": "product list",
  "(?:take|leave)Seat|\\bSeats?\\b": "ConnectionIdentity",
  "\\bTold\\b|\\btold[A-Z]\\w*": "notified, label or message",
  "\\bDuties\\b|\\bduty\\b": "Outbox, task",
  "\\b(?:changedM|m)eanwhile\\b": "edit conflict",
  "\\btakeIn\\b": "bufferBody",
  "\\bsteady[A-Z]\\w*": "retrying",
  "\\bkeptQuery\\b|\\batOnce\\b": "preparedQuery, runBatch",
  "\\b(?:MOST|LONGEST|TOO)_\\w+": "MAX_…",
  "\\b(?:cameFrom|toLogin)\\b": "referrerPath, redirectToLogin",
  "\\bHappening\\b": "Action, dispatch",
  "\\bStranger\\b|\\bDoor\\b": "SignInRequired, AuthPage",
  "\\b(?:Wish|Wanting)\\b": "request",
  "\\b(?!bulkUpload\\b)[bB]ulk\\w*|\\bBULK_": "product import",
  "\\b[gG]oods\\b|Goods\\b": "products",
  "\\bFormFailure\\b|\\bfailedForm\\b": "RefusedForm, refused",
  "\\b(?:open|form|stockForm|stock|held)Question\\b|\\bmustAnswer\\b": "confirmation, unusual…",
};

interface Line {
  path: string;
  number: number;
  text: string;
}

const paths = filesIn(SOURCE_FOLDERS).filter((path) => path !== "tests/structure/prose.test.ts");
const identifiers = paths.flatMap(identifiersOf);
const inCamelCase = (name: string) => name.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase());
/** Folders, files and tables, as the identifiers that they would be. */
const names = [
  ...[...new Set(paths.flatMap((path) => path.split(/[/.]/)))].map((name) => ({ name, at: name })),
  ...paths.flatMap((path) => [...read(path).matchAll(TABLE)].map(([, name = ""]) => ({ name, at: path }))),
].map(({ name, at }) => ({ name: inCamelCase(name), at }));
/** Lines of all source files; the opening line of a docblock includes its first line of text. */
const lines: Line[] = paths.flatMap((path) => {
  const all = read(path).split("\n");
  return all.map((line, i) => ({
    path,
    number: i + 1,
    text: line.trim() === "/**" ? `${line} ${all[i + 1] ?? ""}` : line,
  }));
});

function violations(matches: (text: string) => boolean): string[] {
  return lines
    .filter(({ text }) => matches(text))
    .map(({ path, number, text }) => `${path}:${number} ${text.trim().slice(0, 80)}`);
}

describe("prose (docs/architecture.md, Style)", () => {
  it("docblocks begin with a verb or a noun", () => {
    const found = violations((text) => QUESTION_OPENING.test(text));
    expect(found, "Begin a docblock with what the symbol does or is, not with a question word").toEqual([]);
  });

  it("docblocks begin with a sentence, before any tag", () => {
    // JavaScript has its types in tags.
    const found = violations((text) => TAG_OPENING.test(text)).filter((at) => !/^\S+\.mjs:/.test(at));
    expect(found, "Say first what the symbol does or is").toEqual([]);
  });

  it("comments are read once", () => {
    const found = violations((text) => SECOND_READING.test(commentIn(text)));
    expect(found, "Say it in a clause of its own").toEqual([]);
  });

  it("comments and titles of tests cite only documents in the repository", () => {
    const cites = (text: string) => OUTSIDE_DOCUMENT.test(TITLE.test(text.trim()) ? text : commentIn(text));
    const found = violations(cites);
    expect(found, "Cite docs/product.md, docs/architecture.md or docs/decisions/").toEqual([]);
  });

  it.each(Object.entries(RETIRED))("no name matches %s (use %s)", (pattern, term) => {
    const retired = new RegExp(pattern);
    const found = [...identifiers, ...names].filter(({ name }) => retired.test(name)).map(({ at }) => at);
    expect(found, `Use the standard term: ${term} (docs/architecture.md, Style)`).toEqual([]);
  });
});

/** Returns the comment of a line. A line that begins with an asterisk belongs to a docblock. */
function commentIn(text: string): string {
  return /^\s*\*.*|(?:^|\s)\/[/*].*/.exec(text)?.[0] ?? "";
}

/** Lists the identifiers of a file with their lines, without strings, JSX text and comments. */
function identifiersOf(path: string): { name: string; at: string }[] {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, false, kind);
  const found: { name: string; at: string }[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ name: node.text, at: `${path}:${line + 1} ${node.text}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
