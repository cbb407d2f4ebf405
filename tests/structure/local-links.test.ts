import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesIn, read } from "./sources";

/** Modules that pass the targets of Remix's own links, forms and redirects through `localTo`. */
const WRAPPERS = ["app/ui/navigation.tsx", "app/http/redirect.server.ts"];

/** Exports of Remix and React Router that lead to a page and check no target. */
const NAVIGATES = /^(?:Link|NavLink|Navigate|Form|useNavigate|useHref|redirect|redirectDocument|replace)$/;

/** Links that are meant to leave the shop; the module that makes each one limits its scheme. */
const EXTERNAL = [
  "app/features/cart/CartContents.tsx: cart.smsUrl",
  "app/features/cart/CartLines.tsx: mapUrl",
  "app/features/catalogue/Gallery.tsx: pictureUrl(url, 1000)",
  "app/features/conversation/message-parts.tsx: segment.href",
  "app/features/home/HowPage.tsx: mapUrl",
  "app/layouts/shop/ShopFooter.tsx: url",
  "app/layouts/shop/ShopFooter.tsx: to",
  "app/ui/PickupTerms.tsx: mapUrl",
];

const parse = (file: string, text: string) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

function nodesOf(file: string, text = read(file)): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parse(file, text));
  return nodes;
}

/** Recognises a literal, a constant, an address of the page itself or of a mail or call, and what `localTo` returned, or `locationOf`, which calls it. */
function isChecked(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isChecked(node.expression);
  if (ts.isConditionalExpression(node)) return isChecked(node.whenTrue) && isChecked(node.whenFalse);
  if (ts.isTemplateExpression(node)) return /^(?:#|mailto:|tel:)/.test(node.head.text);
  if (ts.isIdentifier(node)) return /^(?:[A-Z][A-Z\d_]*|undefined)$/.test(node.text);
  return (
    ts.isStringLiteralLike(node) ||
    (ts.isCallExpression(node) && /^(?:localTo|locationOf)$/.test(node.expression.getText()))
  );
}

/** Returns the targets that a node gives to the browser itself: of elements, `submit`, and `location`. */
function targetsOf(node: ts.Node): ts.Expression[] {
  if (ts.isJsxAttribute(node)) return attributeTarget(node);
  if (ts.isCallExpression(node)) return callTarget(node);
  const isAssignment = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && /\blocation(?:\.href)?$/.test(node.left.getText()) ? [node.right] : [];
}

function attributeTarget(node: ts.JsxAttribute): ts.Expression[] {
  const tag = node.parent.parent.tagName.getText();
  const key = `${tag} ${node.name.getText()}`;
  if (!/^(?:(?:a|area) href|(?:form|\w+\.Form) action|.* formAction)$/.test(key)) return [];
  const value = node.initializer;
  return value && ts.isJsxExpression(value) && value.expression ? [value.expression] : [];
}

function callTarget({ expression, arguments: [first, second] }: ts.CallExpression): ts.Expression[] {
  const callee = expression.getText();
  if (/\bredirectWithToast$|\blocation\.(?:assign|replace)$|\bwindow\.open$/.test(callee))
    return first ? [first] : [];
  if (!/(?:^|\.)submit$/.test(callee) || !second || !ts.isObjectLiteralExpression(second)) return [];
  return second.properties.flatMap((property) => {
    if (property.name?.getText() !== "action") return [];
    return ts.isPropertyAssignment(property) ? [property.initializer] : [property.name as ts.Identifier];
  });
}

const uncheckedIn = (file: string, text?: string) =>
  nodesOf(file, text)
    .flatMap(targetsOf)
    .filter((target) => !isChecked(target))
    .map((target) => `${file}: ${target.getText()}`);

/** Lists the exports of Remix in a file that lead to a page. */
const navigationIn = (file: string, text?: string) =>
  nodesOf(file, text).flatMap((node) => {
    if (
      !ts.isImportDeclaration(node) ||
      !/^"(?:@remix-run\/|react-router)/.test(node.moduleSpecifier.getText())
    )
      return [];
    const named = node.importClause?.namedBindings;
    if (!named) return [];
    if (!ts.isNamedImports(named)) return [`${file}: ${named.getText()}`];
    return named.elements
      .map(({ name, propertyName }) => (propertyName ?? name).text)
      .filter((name) => NAVIGATES.test(name))
      .map((name) => `${file}: ${name}`);
  });

const SOURCES = filesIn(["app", "workers"], /(?<!\.test)\.tsx?$/).filter((file) => !WRAPPERS.includes(file));

describe("links, forms and redirects stay in the shop (SECURITY.md)", () => {
  it("Remix's own are used through ui/navigation and http/redirect, which call localTo", () => {
    expect(SOURCES.flatMap((file) => navigationIn(file))).toEqual([]);
    expect(WRAPPERS.flatMap((file) => navigationIn(file))).not.toEqual([]);
  });

  it("computed targets of elements, submits and locations are checked by localTo", () => {
    expect(SOURCES.flatMap((file) => uncheckedIn(file)).filter((found) => !EXTERNAL.includes(found))).toEqual(
      [],
    );
  });

  it("the exceptions are in use", () => {
    const found = SOURCES.flatMap((file) => uncheckedIn(file));
    expect(EXTERNAL.filter((exception) => !found.includes(exception))).toEqual([]);
  });

  it.each([
    "<a href={to}>x</a>",
    "<a href={isHere ? '#x' : to}>x</a>",
    `<a href={\`//\${to}\`}>x</a>`,
    "<form action={to} />",
    "<fetcher.Form action={to} />",
    "<button formAction={to} />",
    "submit(form, { action })",
    "submit(form, { action: to })",
    "location.href = to",
    "window.location = to",
    "location.assign(to)",
    "redirectWithToast(to, toast)",
  ])("an unchecked target is found in %s", (code) => {
    expect(uncheckedIn("a.tsx", code)).toHaveLength(1);
  });

  it.each([
    `import { Link as L } from "@remix-run/react";`,
    `import { json, redirect } from "@remix-run/cloudflare";`,
    `import * as router from "react-router-dom";`,
  ])("Remix's own navigation is found in %s", (code) => {
    expect(navigationIn("a.tsx", code)).toHaveLength(1);
  });
});
