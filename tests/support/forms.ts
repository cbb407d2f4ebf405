import { type CallOptions, call } from "./shop";

/** Sends a form as a browser without JavaScript. */
export const submit = (
  path: string,
  fields: Record<string, string>,
  by: Pick<CallOptions, "cookie" | "token"> = {},
) =>
  call(path, {
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    ...by,
  });

const decoded = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : decoded(value);
};

/** Form of a page as a browser would send it. */
export interface PageForm {
  action: string;
  fields: Record<string, string>;
  /** Names and values of its submit buttons. */
  buttons: { name: string; value: string; text: string }[];
}

/** Reads the forms of a page. */
export function formsIn(html: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = "", body = ""]) => ({
    action: attribute(tag, "action") ?? "",
    fields: { ...inputsIn(body), ...selectsIn(body), ...areasIn(body) },
    buttons: [...body.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(([, button = "", text = ""]) => ({
      name: attribute(button, "name") ?? "",
      value: attribute(button, "value") ?? "",
      text: decoded(text.replaceAll(/<[^>]*>/g, "")).trim(),
    })),
  }));
}

function inputsIn(body: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of body.matchAll(/<input\b[^>]*>/g)) {
    const isOff = /type="(?:radio|checkbox)"/.test(tag) && !/\schecked/.test(tag);
    const name = attribute(tag, "name");
    if (name && !isOff && !/type="file"/.test(tag)) fields[name] = attribute(tag, "value") ?? "";
  }
  return fields;
}

function selectsIn(body: string): Record<string, string> {
  return Object.fromEntries(
    [...body.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, tag = "", options = ""]) => {
      const all = [...options.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
      const chosen = all.find((option) => /\sselected/.test(option)) ?? all[0] ?? "";
      return [attribute(tag, "name") ?? "", attribute(chosen, "value") ?? ""];
    }),
  );
}

function areasIn(body: string): Record<string, string> {
  return Object.fromEntries(
    [...body.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].map(([, tag = "", text = ""]) => [
      attribute(tag, "name") ?? "",
      decoded(text),
    ]),
  );
}

/** Finds the form of a page that has a button with a text. */
export function formWith(html: string, button: RegExp): PageForm & { send: { name: string; value: string } } {
  for (const form of formsIn(html)) {
    const send = form.buttons.find(({ text }) => button.test(text));
    if (send) return { ...form, send };
  }
  throw new Error(`No form has the button ${button}`);
}

/** Presses a button of a page's form, with fields changed as a person would. */
export function press(
  html: string,
  button: RegExp,
  typed: Record<string, string> = {},
  by: Pick<CallOptions, "cookie" | "token"> = {},
): Promise<Response> {
  const { action, fields, send } = formWith(html, button);
  const { name, value } = send;
  return submit(action, { ...fields, ...typed, ...(name && { [name]: value }) }, by);
}
