import ts from "typescript";
import { describe, expect, it } from "vitest";
import remixOptions from "../../remix.config.js";
import { filesIn, read } from "./sources";

/** Functions that throw only responses, and those that convert the errors of what they await. */
const CONVERTS =
  /^(?:pageResult|adminPage|formAction|resultOrNull|readToast|outgoingHeaders|Promise\.all)$|\.catch$/;
/** Expressions that a loader or action may throw. */
const RESPONSE = /^(?:json\(|redirect\(|new Response\(|response$)/;

/** Lists what a file's loader and action await or throw without converting errors. */
function unconverted(file: string): string[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isThrowStatement(node) && !RESPONSE.test(node.expression.getText()))
      found.push(`${file}: ${node.getText()}`);
    if (ts.isAwaitExpression(node)) {
      const { expression } = node;
      if (!ts.isCallExpression(expression) || !CONVERTS.test(expression.expression.getText()))
        found.push(`${file}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  for (const statement of source.statements)
    if (ts.isFunctionDeclaration(statement) && /^(?:loader|action)$/.test(statement.name?.text ?? ""))
      visit(statement);
  return found;
}

describe("what keeps the shop safe without further fixes of Remix 2 (SECURITY.md)", () => {
  it("single fetch and lazy route discovery are off", () => {
    expect(remixOptions.future).toMatchObject({ v3_singleFetch: false, v3_lazyRouteDiscovery: false });
  });

  it("loaders and actions throw only responses", () => {
    const files = filesIn(["app/root.tsx", "app/routes"], /\.tsx?$/);
    expect(files.flatMap(unconverted), "Pass it through pageResult or adminPage").toEqual([]);
  });

  it("the library for .xls is imported by its reader alone, on demand", () => {
    const files = filesIn(["app", "workers", "scripts"]).filter((file) => /["']@e965\/xlsx/.test(read(file)));
    expect(files).toEqual(["app/features/product-import/readers/xls.server.ts"]);
    expect(read(files[0] ?? "")).not.toMatch(/^import (?!type)[^;]*@e965\/xlsx/m);
    expect(read("app/features/product-import/readers/xlsx.server.ts")).not.toMatch(/@e965\/xlsx|xls\.server/);
  });
});
