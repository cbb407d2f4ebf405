import { beforeAll, describe, expect, it } from "vitest";
import { from } from "../support/people";
import { addUser, call } from "../support/shop";

/** Spellings of a path that reach the same route. */
function spellings(path: string): string[] {
  const last = path.lastIndexOf("/") + 1;
  const encoded = `%${path.charCodeAt(last).toString(16)}`;
  return [
    path,
    path.replace("/auth/", "/Auth/").toUpperCase().replace("/API/", "/api/"),
    `${path.slice(0, last)}${path.charAt(last).toUpperCase()}${path.slice(last + 1)}`,
    `${path.slice(0, last)}${encoded}${path.slice(last + 1)}`,
    `${path.slice(0, last)}${encoded.toUpperCase()}${path.slice(last + 1)}`,
    `${path}/`,
    `${path}//`,
    path.replaceAll("/", "//").slice(1),
    `${path}?x=1`,
    `/./${path.slice(1)}`,
  ];
}

let known: string;
let address = 0;
/** Sends from a unique address, so that no rate limit applies. */
const headers = () => from(`10.77.${Math.floor(address / 250)}.${++address % 250}`);

const person = { firstName: "Ann", lastName: "Lee", username: "annlee", phone: "4165550100" };
const wrong = { password: "wrong-one", confirmPassword: "wrong-one", token: "x".repeat(32) };
const fields = (email: string) => ({ ...person, ...wrong, email, agreeToTerms: "on" });

beforeAll(async () => {
  known = (await addUser()).email;
});

describe("Server-Timing of account routes", () => {
  const calls = ["login", "signup", "logout", "forgot-password", "reset-password"].map(
    (name) => `/api/auth/${name}`,
  );
  it.each(calls.flatMap(spellings))("has no database cost: POST %s", async (path) => {
    for (const email of [known, `nobody${address}@mail.example`]) {
      const answer = await call(path, { json: fields(email), headers: headers() });
      const timing = answer.headers.get("Server-Timing");
      // An unknown path reads nothing.
      if (answer.status === 404) expect(timing).toMatch(/ 0 rows read|^total/);
      else expect(timing, `${answer.status}`).toMatch(/^total;dur=[\d.]+$/);
    }
  });

  it.each(["/login", "/signup", "/resetPassword"].flatMap(spellings))(
    "isn't told by the form of %s",
    async (path) => {
      for (const email of [known, `nobody${address}@mail.example`]) {
        const sent = { body: new URLSearchParams(fields(email)), headers: headers() };
        const answer = await call(path, sent);
        const timing = answer.headers.get("Server-Timing");
        if (answer.status === 404) continue;
        expect(timing, `${answer.status}`).toMatch(/^total;dur=[\d.]+$/);
      }
    },
  );

  it.each(["/api/auth/me", "/api/auth/login", "/api/AUTH/%6de"])(
    "has no database cost: GET %s",
    async (path) => {
      expect((await call(path)).headers.get("Server-Timing")).toMatch(/^total;dur=[\d.]+$/);
    },
  );

  it("has the database cost for pages", async () => {
    expect((await call("/resetPassword?token=x")).headers.get("Server-Timing")).toContain("d1;desc=");
    expect((await call("/api/product/all")).headers.get("Server-Timing")).toContain("d1;desc=");
  });
});
