import { Secret, TOTP } from "otpauth";
import { expect, expectAccessible, SCRIPTING, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const PASSWORD = "Factor!2026";
const FACTOR_PATH = "/account?tab=factor";

const codeOf = (key: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) }).generate({
    timestamp: Date.now() + seconds * 1000,
  });

/** Adds a colleague with a password of their own. */
async function colleague(name: string): Promise<{ id: string; email: string }> {
  const email = `factor.${name}@mail.example`;
  const fields = { fullName: `Noor ${name}`, email, password: PASSWORD, confirmPassword: PASSWORD };
  const { id } = await staffCall("admin", "user", { ...fields, phoneNumber: "", isManager: true });
  return { id: String(id), email };
}

for (const [name, javaScriptEnabled] of SCRIPTING)
  test(`a second factor is set up, asked for, replaced by a recovery code and reset (${name})`, async ({
    open,
  }) => {
    const { id, email } = await colleague(`journey-${javaScriptEnabled}`);
    const page = await open(`/login?redirectTo=${encodeURIComponent(FACTOR_PATH)}`, { javaScriptEnabled });
    const signIn = async () => {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign In" }).click();
    };
    const signOut = () => page.context().clearCookies();
    await signIn();
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("img", { name: "QR code of the key" }).waitFor();
    if (javaScriptEnabled) await expectAccessible(page);
    const key = (await page.locator(".factor-key").textContent()) ?? "";
    await page.getByLabel("Code", { exact: true }).fill("12345");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("This code is wrong").first().waitFor();
    await expect(page.locator(".factor-key")).toHaveText(key);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(key));
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    if (javaScriptEnabled) await expectAccessible(page);
    const codes = await page.locator(".recovery-codes code").allTextContents();
    expect(codes).toHaveLength(10);

    await signOut();
    await page.goto("/login?redirectTo=%2Fadmin%2Fholds");
    await signIn();
    await page.getByRole("heading", { name: "One More Step" }).waitFor();
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page.getByRole("button", { name: "Sign In" }).click();
    await page
      .getByText(/This code is wrong/)
      .first()
      .waitFor();
    await page.getByLabel("Code", { exact: true }).fill(codeOf(key, 30));
    await page.getByRole("button", { name: "Sign In" }).click();
    await page.waitForURL("**/admin/holds");

    await signOut();
    await page.goto("/login");
    await signIn();
    await page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Sign In" }).click();
    await page.waitForURL("**/admin");
    await page.goto(FACTOR_PATH);
    await page.getByText("9 recovery codes are left").waitFor();

    const office = await asStaff(open, "admin", `/admin/users-management?edit=${id}`, { javaScriptEnabled });
    await office.getByRole("link", { name: "Reset it" }).click();
    await office.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await office.getByText("Second factor reset").first().waitFor();
    await page.goto("/admin");
    await page.waitForURL(/\/login/);
    await signIn();
    await page.waitForURL("**/admin");
    await staffCall("admin", `user/${id}`, {}, "DELETE");
  });
