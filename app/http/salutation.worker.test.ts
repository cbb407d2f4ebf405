import { expect, it } from "vitest";
import { salutation } from "./mail.server";

it.each(["Ann", "Dr. Ann", "J.R.R.", "李：伟", "O'Brien"])("a mail greets %s by name", (name) => {
  expect(salutation(name)).toBe(`Hello ${name},`);
});

it.each(["evil.com", "Your-prize evil.com/win", "EVIL.COM", "evil。com", "ann@evil.com"])(
  "a mail does not repeat %s, which mail programs would link",
  (name) => {
    expect(salutation(name)).toBe("Hello,");
  },
);
