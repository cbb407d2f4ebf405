import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesIn, read, SOURCE_FOLDERS } from "./sources";

const FILE_LINES = 400;
const FUNCTION_LINES = 40;
const API_ROUTE_LINES = 15;
const PAGE_HANDLER_LINES = 15;
const WORKER_LINES = 80;
/** Opening of the comment that justifies a longer file. */
const EXCUSE = /\/\*\* Longer than \d+ lines because /;

const files = filesIn(SOURCE_FOLDERS);
const lines = (text: string) => text.trimEnd().split("\n").length;

/** Lists the functions of a file with their lengths in lines. */
function functionsOf(path: string): { name: string; lines: number }[] {
  const source = ts.createSourceFile(
    path,
    read(path),
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: { name: string; lines: number }[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const from = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const to = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      found.push({ name: node.name?.getText() ?? `line ${from + 1}`, lines: to - from + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("sizes (docs/architecture.md)", () => {
  it(`no file is longer than ${FILE_LINES} lines`, () => {
    const long = files.filter((path) => lines(read(path)) > FILE_LINES && !EXCUSE.test(read(path)));
    expect(
      long,
      `A file has at most ${FILE_LINES} lines; split it, or begin it with "Longer than … because"`,
    ).toEqual([]);
  });

  it(`no function is longer than ${FUNCTION_LINES} lines`, () => {
    const long = files
      .filter(
        (path) =>
          /^(?:app|workers)\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !EXCUSE.test(read(path)),
      )
      .flatMap((path) =>
        functionsOf(path)
          .filter((f) => f.lines > FUNCTION_LINES)
          .map((f) => `${path} ${f.name}: ${f.lines}`),
      );
    expect(long, `A function has at most ${FUNCTION_LINES} lines`).toEqual([]);
  });

  it(`no API route is longer than ${API_ROUTE_LINES} lines`, () => {
    const long = files.filter(
      (path) => /^app\/routes\/api\./.test(path) && lines(read(path)) > API_ROUTE_LINES,
    );
    expect(long, `An API route has at most ${API_ROUTE_LINES} lines; move the rule to an operation`).toEqual(
      [],
    );
  });

  it(`no page's loader or action is longer than ${PAGE_HANDLER_LINES} lines`, () => {
    const long = files
      .filter((path) => path.startsWith("app/routes/"))
      .flatMap((path) =>
        functionsOf(path)
          .filter((f) => /^(?:loader|action)$/.test(f.name) && f.lines > PAGE_HANDLER_LINES)
          .map((f) => `${path} ${f.name}: ${f.lines}`),
      );
    expect(long, `A page's loader or action has at most ${PAGE_HANDLER_LINES} lines`).toEqual([]);
  });

  it(`workers/app.ts stays under ${WORKER_LINES} lines`, () => {
    expect(lines(read("workers/app.ts")), "workers/app.ts only routes").toBeLessThan(WORKER_LINES);
  });
});
