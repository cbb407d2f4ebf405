import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, type Open, SCRIPTING, test } from "../../support/browser";
import { OWN_CONNECTION, runningShop } from "../../support/running-shop";

let people = 0;
/** Generates an unused address. */
const newAddress = () => `e2e-${Date.now()}-${++people}@mail.example`;
const pathOf = (page: Page) => new URL(page.url()).pathname;
const sees = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 15_000 });
/** Finds a message in the live region. */
const says = (page: Page, text: string) => page.getByRole("alert").getByText(text).waitFor();
const press = (page: Page, name: string) =>
  page.locator("main").getByRole("button", { name, exact: true }).click();

async function fillSignUp(page: Page, email: string) {
  const fields = {
    firstName: "Ann",
    lastName: "Ortiz",
    username: "annie",
    email,
    phone: "(416) 555-0199",
    password: "abcdef",
    confirmPassword: "abcdef",
  };
  for (const [name, value] of Object.entries(fields)) await page.fill(`#signup-${name}`, value);
  await page.check("#signup-agreeToTerms");
}

async function signUp(open: Open, javaScriptEnabled: boolean) {
  const email = newAddress();
  const page = await open("/signup", { javaScriptEnabled });
  await fillSignUp(page, email);
  await press(page, "Create Account");
  await sees(page, "Account created successfully!");
  return { page, email };
}

/** Signs up through the API, for what does not depend on the form. */
async function newCustomer(open: Open, javaScriptEnabled: boolean) {
  const email = newAddress();
  const page = await open("about:blank", { javaScriptEnabled });
  const data = { firstName: "Ann", lastName: "Ortiz", email, password: "abcdef" };
  const headers = { Origin: runningShop().url, ...OWN_CONNECTION };
  const answer = await page.request.post("/api/auth/signup", { data, headers });
  expect(answer.status()).toBe(201);
  return { page, email };
}

async function signIn(page: Page, email: string, password: string) {
  await page.fill("#login-email", email);
  await page.fill("#login-password", password);
  await press(page, "Sign In");
}

/** Reads the link in the latest mail to an address. */
async function linkTo(email: string): Promise<string> {
  const folder = join(runningShop().stateDir, "mail");
  let link: string | undefined;
  const readLink = () => {
    const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    link = mails.find((mail) => mail.includes(`<${email}>`))?.match(/http:\S+token=[\w-]+/)?.[0];
    return link;
  };
  await expect.poll(readLink, { message: `a mail to ${email}` }).toBeDefined();
  return link ?? "";
}

for (const [name, js] of SCRIPTING)
  test.describe(`accounts ${name}`, () => {
    test("sign-up reports every error at once beside its field and keeps the input", async ({ open }) => {
      const page = await open("/signup", { javaScriptEnabled: js });
      const typed = { firstName: "Ann", username: "ab", email: "x", phone: "123", password: "abc" };
      for (const [name, value] of Object.entries(typed)) await page.fill(`#signup-${name}`, value);
      await page.fill("#signup-confirmPassword", "abd");
      await press(page, "Create Account");
      for (const text of [
        "Last name is required",
        "Username must be at least 3 characters",
        "Please enter a valid email address",
        "Phone number must be 10 digits",
        "Password must be at least 6 characters",
        "Passwords do not match",
        "You must agree to the terms and conditions",
      ])
        await sees(page, text);
      await says(page, "Please check the fields below.");
      await expect(page.locator("#signup-firstName")).toHaveValue("Ann");
      if (!js) await expect(page.locator("#signup-password")).toHaveValue("");
      await fillSignUp(page, "customer@emporia.example");
      await press(page, "Create Account");
      await says(page, "Signup failed! An account with this email already exists");
      await fillSignUp(page, newAddress());
      await press(page, "Create Account");
      await sees(page, "Account created successfully!");
      await expect.poll(() => page.getByText("Signup failed!").count()).toBe(0);
    });

    test("sign-up redirects to /, and /login and /signup redirect signed-in users", async ({ open }) => {
      const { page } = await signUp(open, js);
      expect(pathOf(page)).toBe("/");
      for (const path of ["/login", "/signup"]) {
        await page.goto(path);
        expect(pathOf(page)).toBe("/");
      }
    });

    test("a wrong password shows the error and keeps the e-mail address", async ({ open }) => {
      const page = await open("/login", { javaScriptEnabled: js });
      await signIn(page, "nobody@mail.example", "secret");
      await sees(page, "Login failed! Invalid email or password");
      await expect(page.locator("#login-email")).toHaveValue("nobody@mail.example");
    });

    test("staff are redirected to /admin or to redirectTo, never to another site", async ({ open }) => {
      for (const [asked, led] of [
        ["", "/admin"],
        ["?redirectTo=/admin/graphs", "/admin/graphs"],
        ["?redirectTo=//elsewhere.example", "/admin"],
      ] as const) {
        const page = await open(`/login${asked}`, { javaScriptEnabled: js });
        await signIn(page, "manager@emporia.example", "Manager#2026!");
        await page.waitForURL((url) => url.pathname.startsWith("/admin"));
        expect(pathOf(page)).toBe(led);
        // Signed in already.
        await page.goto(`/login${asked}`);
        expect(pathOf(page)).toBe(led);
      }
    });

    test("the profile is edited, Cancel restores it, and the password is changed", async ({ open }) => {
      const { page } = await newCustomer(open, js);
      await page.goto("/account?edit=1");
      await page.fill("#profile-firstName", "A1");
      await page.fill("#profile-phoneNumber", "12");
      await press(page, "Save Changes");
      await sees(page, "Name can only contain letters, spaces, hyphens, and apostrophes");
      await sees(page, "Phone number must be between 10-15 digits");
      await page.getByRole("link", { name: "Cancel" }).click();
      await page.getByRole("link", { name: "Edit Profile" }).click();
      await page.waitForURL(/edit=1/);
      await expect(page.locator("#profile-firstName")).toHaveValue("Ann");
      await page.fill("#profile-firstName", "Anna-Lee");
      await press(page, "Save Changes");
      await sees(page, "Profile updated successfully!");
      await sees(page, "Anna-Lee Ortiz");
      await page.getByRole("link", { name: "Change Password" }).click();
      await page.waitForURL(/tab=password/);
      const change = async (current: string) => {
        await page.fill("#password-currentPassword", current);
        await page.fill("#password-newPassword", "ghijkl");
        await page.fill("#password-confirmPassword", "ghijkl");
        await press(page, "Change Password");
      };
      await press(page, "Change Password");
      await says(page, "Please check the fields below.");
      await sees(page, "Current password is required");
      await change("wrong1");
      await says(page, "Current password is incorrect");
      await expect(page.locator("#password-currentPassword-error")).toHaveText(
        "Current password is incorrect",
      );
      await change("abcdef");
      await sees(page, "Password changed successfully!");
      await expect.poll(() => page.getByText("Current password is incorrect").count()).toBe(0);
      await expect.poll(() => page.inputValue("#password-newPassword")).toBe("");
    });

    test("a forgotten password is reset by the mailed link, which works once", async ({ open }) => {
      const { email } = await newCustomer(open, js);
      const page = await open("/resetPassword", { javaScriptEnabled: js });
      await page.fill("#forgot-email", email);
      await press(page, "Send Reset Link");
      await sees(page, "Password reset email sent! Check your inbox.");
      await expect.poll(() => page.inputValue("#forgot-email")).toBe("");
      const link = await linkTo(email);
      await page.goto(link);
      await page.fill("#reset-password", "mnopqr");
      await page.fill("#reset-confirmPassword", "mnopqr");
      await press(page, "Set New Password");
      await sees(page, "Password changed successfully!");
      await signIn(page, email, "mnopqr");
      await sees(page, "Login successful!");
      await page.goto(link);
      await sees(page, "This reset link has already been used.");
      await page.getByRole("button", { name: "Send Reset Link" }).waitFor();
    });
  });

test.describe("accounts in the browser", () => {
  test("the first invalid field is focused, and its error disappears on input", async ({ open }) => {
    const page = await open("/login");
    await press(page, "Sign In");
    await sees(page, "Email is required");
    await expect(page.locator("#login-email")).toBeFocused();
    await page.keyboard.type("a");
    await expect.poll(() => page.getByText("Email is required").count()).toBe(0);
    await expect(page.getByText("Password is required")).toHaveCount(1);
  });

  test("signing in replaces the history entry", async ({ open }) => {
    const page = await open("/terms");
    await page.goto("/login");
    await signIn(page, "customer@emporia.example", "Customer#2026!");
    await sees(page, "Login successful!");
    await page.goBack();
    expect(pathOf(page)).toBe("/terms");
  });

  test("GET /logout signs nobody out", async ({ open }) => {
    const { page } = await newCustomer(open, true);
    await page.goto("/logout");
    await page.goto("/account");
    await sees(page, "Ann Ortiz");
  });

  test("/account asks a visitor to log in", async ({ open }) => {
    await sees(await open("/account"), "Please log in to view your account information.");
  });

  test("no axe violations, with field errors", async ({ open }) => {
    const page = await open("about:blank");
    for (const path of ["/login", "/signup", "/resetPassword", "/resetPassword?token=x", "/account"]) {
      await page.goto(path);
      const submit = page.locator("main form button[type=submit]");
      if (await submit.count()) await submit.click();
      await expectAccessible(page, path);
    }
  });
});
