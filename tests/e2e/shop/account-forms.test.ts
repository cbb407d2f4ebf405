import { expect, type Open, SCRIPTING, test } from "../../support/browser";
import { OWN_CONNECTION, runningShop } from "../../support/running-shop";

/** Opens a page as the demo customer. */
async function openAsCustomer(open: Open, path: string) {
  const page = await open("about:blank");
  const data = { email: "customer@emporia.example", password: "Customer#2026!" };
  const headers = { Origin: runningShop().url, ...OWN_CONNECTION };
  const answer = await page.request.post("/api/auth/login", { data, headers });
  expect(answer.ok()).toBe(true);
  await page.goto(path);
  return page;
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test.describe(`a refused form reports it ${name}`, () => {
    for (const [path, button] of [
      ["/login", "Sign In"],
      ["/signup", "Create Account"],
      ["/resetPassword", "Send Reset Link"],
    ] as const)
      test(path, async ({ open }) => {
        const page = await open(path, { javaScriptEnabled });
        await page.getByRole("main").getByRole("button", { name: button, exact: true }).click();
        await page.getByRole("alert").getByText("Please check the fields below.").waitFor();
      });
  });

test.describe("a customer with JavaScript", () => {
  test("moves the focus into the profile form and back to the edit link", async ({ open }) => {
    const page = await openAsCustomer(open, "/account");
    const focus = () => page.evaluate(() => document.activeElement?.id);
    await page.getByRole("link", { name: "Edit Profile" }).press("Enter");
    await expect.poll(focus).toBe("profile-firstName");
    await page.getByRole("button", { name: "Save Changes" }).press("Enter");
    await page.getByText("Profile updated successfully!").waitFor();
    await expect.poll(focus).toBe("edit-profile");
  });

  test("moves the focus into the form that deletes the account, and back to its link", async ({ open }) => {
    const page = await openAsCustomer(open, "/account?tab=data");
    const focus = () => page.evaluate(() => document.activeElement?.id);
    await page.getByRole("link", { name: "Delete my account…" }).press("Enter");
    await expect.poll(focus).toBe("delete-currentPassword");
    await page.getByRole("link", { name: "Cancel" }).press("Enter");
    await expect.poll(focus).toBe("delete-account");
  });

  test("on /unauthorized a customer can log out, and a visitor gets links to log in, home and sign up", async ({
    open,
  }) => {
    const page = await openAsCustomer(open, "/unauthorized");
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "My Account" })).toHaveAttribute("href", "/account");
    await main.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(/\/login$/);
    await page.goto("/unauthorized");
    await expect(main.getByRole("button", { name: "Logout" })).toHaveCount(0);
    const links = await main
      .getByRole("link")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links).toEqual(["/login", "/", "/signup"]);
  });
});
