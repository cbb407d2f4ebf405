import { HtmlValidate } from "html-validate";
import { expect, test } from "../../support/browser";

const PAGES = [
  "/",
  "/shop",
  "/shop?category=ENGRAVING&min=18&max=60&stock=in",
  "/shop?search=zzzzqq",
  "/products/walnut-serving-board",
  "/products/nope",
  "/favourites",
  "/cart",
  "/chat",
  "/login",
  "/signup",
  "/resetPassword",
  "/account",
  "/terms",
  "/privacy",
  "/unauthorized",
  "/serverError",
  "/nowhere",
];

test("the HTML of public pages is valid (html-validate: standard and a11y)", async ({ open }) => {
  const page = await open("/");
  const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"] });
  for (const path of PAGES) {
    const html = await (await page.request.get(path)).text();
    const { results } = await validator.validateString(html);
    const problems = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
    );
    expect.soft(problems, path).toEqual([]);
  }
});
