import { HtmlValidate } from "html-validate";
import { expect, test } from "../../support/browser";
import { CATALOGUE_PAGES, OTHER_PAGES } from "../../support/pages";
import { OWN_CONNECTION } from "../../support/running-shop";

test("the HTML of public pages is valid (html-validate: standard and a11y)", async ({ open }) => {
  const page = await open("/");
  const validator = new HtmlValidate({ extends: ["html-validate:standard", "html-validate:a11y"] });
  for (const path of [...CATALOGUE_PAGES, ...OTHER_PAGES]) {
    const html = await (await page.request.get(path, { headers: OWN_CONNECTION })).text();
    const { results } = await validator.validateString(html);
    const problems = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
    );
    expect.soft(problems, path).toEqual([]);
    // Number that React wrote in place of nothing: `{count && …}`.
    expect.soft(/.{60}>0<!-- -->(?! ).{20}/.exec(html)?.[0], path).toBeUndefined();
  }
});
