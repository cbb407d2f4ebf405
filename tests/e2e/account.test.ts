import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { describe, expect, inject, it } from "vitest";
import { browserJourneys } from "../support/browser";

const { open } = browserJourneys();

/** Fills a form by its fields' names. */
async function fill(page: Page, values: Record<string, string>) {
  const main = page.getByRole("main");
  for (const [name, value] of Object.entries(values)) await main.locator(`[name="${name}"]`).fill(value);
}

const press = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name, exact: true }).click();

async function signUp(page: Page, email: string, password: string) {
  await page.goto("/signup");
  await fill(page, { firstName: "Zoë", lastName: "O’Neil", username: "zoe", email, phone: "(416) 555-0199" });
  await fill(page, { password, confirmPassword: password });
  await page.getByRole("main").locator('[name="agreeToTerms"]').check();
  await press(page, "Create Account");
  await page.waitForURL(/\/$/);
}

/** The newest mail to an address, waiting for it to arrive. */
async function mailTo(address: string): Promise<string> {
  const folder = join(inject("stateDir"), "mail");
  for (let tries = 0; tries < 100; tries++) {
    const mails = readdirSync(folder)
      .filter((name) => name.endsWith(".eml"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    const found = mails.find((mail) => mail.includes(address));
    if (found) return found.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`No mail to ${address}`);
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("an account, %s", (_how, javaScriptEnabled) => {
  const person = (name: string) => `${name}.${javaScriptEnabled ? "js" : "plain"}@mail.example`;

  it("is opened, edited, given a new password and left", async () => {
    const page = await open("/", { javaScriptEnabled });
    await signUp(page, person("zoe"), "secret1");
    await page.getByText("Account created successfully!").waitFor();
    await page.goto("/account?edit=1");
    await fill(page, { firstName: "Z", phoneNumber: "12" });
    await press(page, "Save Changes");
    await page.getByText("Name must be at least 2 characters long").waitFor();
    await page.getByText("Phone number must be between 10-15 digits").waitFor();
    await fill(page, { firstName: "Zora", phoneNumber: "" });
    await press(page, "Save Changes");
    await page.getByText("Profile updated successfully!").waitFor();
    await page.getByRole("heading", { name: "Zora O’Neil" }).waitFor();
    await page.goto("/account?tab=password");
    await fill(page, { currentPassword: "wrong", newPassword: "secret2", confirmPassword: "secret2" });
    await press(page, "Change Password");
    await page.getByRole("alert").or(page.locator(".error")).first().waitFor();
    await fill(page, { currentPassword: "secret1", newPassword: "secret2", confirmPassword: "secret2" });
    await press(page, "Change Password");
    await page.getByText("Password changed successfully!").waitFor();
  });

  it("is signed in to with every refusal beside its field, and what was typed kept", async () => {
    const page = await open("/login", { javaScriptEnabled });
    await press(page, "Sign In");
    await page.getByText("Email is required").waitFor();
    await page.getByText("Password is required").waitFor();
    await fill(page, { email: "customer@emporia.example", password: "wrong" });
    await press(page, "Sign In");
    await page.getByText("Login failed! Invalid email or password").first().waitFor();
    expect(await page.locator('main [name="email"]').inputValue()).toBe("customer@emporia.example");
    await fill(page, { email: " CUSTOMER@emporia.example ", password: "Customer#2026!" });
    await press(page, "Sign In");
    await page.waitForURL(/\/$/);
    await page.getByText("Login successful!").waitFor();
    await page.goto("/signup");
    expect(new URL(page.url()).pathname).toBe("/");
  });

  it("comes back by the link in the mail when the password is forgotten", async () => {
    const page = await open("/", { javaScriptEnabled });
    const email = person("forgetful");
    await signUp(page, email, "secret1");
    await page.context().clearCookies();
    await page.goto("/resetPassword");
    await fill(page, { email });
    await press(page, "Send Reset Link");
    await page.getByText("Password reset email sent! Check your inbox.").first().waitFor();
    const link = /http:\/\/\S*\/resetPassword\?token=[\w-]+/.exec(await mailTo(email))?.[0] ?? "";
    await page.goto(link);
    await fill(page, { password: "secret3", confirmPassword: "secret3" });
    await page.getByRole("main").locator('button[type="submit"]').last().click();
    await page.waitForURL((url) => !url.searchParams.has("token"));
    await page.goto("/login");
    await fill(page, { email, password: "secret3" });
    await press(page, "Sign In");
    await page.waitForURL(/\/$/);
    await page.context().clearCookies();
    await page.goto(link);
    expect(await page.locator('main [name="password"]').count()).toBe(0);
  });
});

describe("staff", () => {
  it("are led to sign in and back to where they wanted to go, and a customer is not", async () => {
    const page = await open("/admin/graphs");
    expect(page.url()).toContain("/login?redirectTo=%2Fadmin%2Fgraphs");
    await fill(page, { email: "manager@emporia.example", password: "Manager#2026!" });
    await press(page, "Sign In");
    await page.waitForURL(/\/admin\/graphs$/);
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(/\/login/);
    await fill(page, { email: "customer@emporia.example", password: "Customer#2026!" });
    await press(page, "Sign In");
    await page.waitForURL(/\/$/);
    await page.goto("/admin");
    await page.getByText("Unauthorized Access").waitFor();
    expect(new URL(page.url()).pathname).toBe("/unauthorized");
  });
});
