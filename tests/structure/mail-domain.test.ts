import { describe, expect, it } from "vitest";
import { mailNotice } from "../../scripts/mail-domain.mjs";

/** Table as `wrangler email sending list` prints it. */
const TABLE = `
┌──────────┬───────────────┬─────────┬─────┐
│ zone     │ name          │ enabled │ tag │
├──────────┼───────────────┼─────────┼─────┤
│ shop.ca  │ shop.ca       │ yes     │ a1  │
├──────────┼───────────────┼─────────┼─────┤
│ shop.ca  │ old.shop.ca   │ no      │ b2  │
├──────────┼───────────────┼─────────┼─────┤
│ other.ca │ mail.other.ca │ yes     │ c3  │
└──────────┴───────────────┴─────────┴─────┘`;

const noticeOf = (mailFrom: string, status = 0, stdout = TABLE) =>
  mailNotice(mailFrom, () => ({ status, stdout }));

describe("notice about the sender's domain", () => {
  it("is absent for an onboarded domain", () => {
    expect(noticeOf("no-reply@Shop.ca")).toBeNull();
  });

  it.each(["no-reply@other.ca", "no-reply@old.shop.ca", "no-reply@p.ca"])(
    "names the command that onboards the domain of %s",
    (address) => {
      expect(noticeOf(address)).toContain(`wrangler email sending enable ${address.split("@")[1]}`);
    },
  );

  it("reports that the domain is unknown when the list cannot be read", () => {
    expect(noticeOf("no-reply@shop.ca", 1, "")).toContain("unknown");
  });
});
