import { expect, test } from "../../support/browser";
import { asking, fieldOf, logOf, panelOf, startChat, write } from "../../support/conversation";

const WIDE = { viewport: { width: 1440, height: 900 } };
/** Milliseconds between press and release, in which the page draws what the first click brought. */
const HELD = { delay: 60 };

test("the second click of a double-click presses nothing that the first has brought", async ({ open }) => {
  const page = await open("/products/mushroom-table-lamp", WIDE);
  const panel = panelOf(page);
  await asking(page).last().click();
  await panel.getByPlaceholder("Your message...").fill("Is it oiled?");
  await page.keyboard.press("Enter");
  await logOf(page).getByText("Is it oiled?").waitFor();
  await write(page, "Second.");
  const [reach, called] = [/^Where shall we reach you/, /What name shall we put on it/].map((name) =>
    panel.getByRole("form", { name }),
  ) as [typeof panel, typeof panel];
  // Before it, the question moves the button under the pointer.
  await expect(reach).toBeVisible();
  await fieldOf(page).fill("Third.");
  await panel.getByRole("button", { name: "Send", exact: true }).dblclick(HELD);
  await logOf(page).getByText("Third.").waitFor();
  await expect(fieldOf(page)).toBeFocused();
  await expect(reach).toBeVisible();
  await reach.getByRole("button", { name: "Skip" }).dblclick(HELD);
  await expect(called).toBeVisible();
});

test("a press on Send keeps the focus in the field that is empty", async ({ open }) => {
  const page = await open("/terms", WIDE);
  await startChat(page, "A board, please");
  await fieldOf(page).focus();
  const send = panelOf(page).getByRole("button", { name: "Send", exact: true });
  await expect(send).toBeDisabled();
  const box = await send.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await expect(fieldOf(page)).toBeFocused();
});

test("first questions stand below the bubbles, in line with them", async ({ open }) => {
  const page = await open("/products/mushroom-table-lamp", WIDE);
  await asking(page).last().click();
  await panelOf(page).getByRole("group", { name: "First questions" }).waitFor();
  const lefts = () =>
    panelOf(page).evaluate((panel) =>
      [".chat-first button", ".chat-bubble"].map(
        (selector) => panel.querySelector(selector)?.getBoundingClientRect().x,
      ),
    );
  await expect.poll(async () => new Set(await lefts()).size).toBe(1);
});

test("a double-click on the close button of the bar leaves the chat closed", async ({ open }) => {
  const page = await open("/terms", WIDE);
  await startChat(page, "A board, please");
  await panelOf(page).getByRole("button", { name: "Minimise" }).dblclick(HELD);
  await page.getByRole("button", { name: "Close chat" }).dblclick(HELD);
  await expect(asking(page).last()).toBeVisible();
  await expect(panelOf(page)).toHaveCount(0);
});
