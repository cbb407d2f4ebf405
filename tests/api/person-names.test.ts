import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { renewEmailKeys } from "~/features/accounts/operations/users.server";
import { messagesOf, postMessage, startChat } from "../support/chat";
import { admin, from, person, problems } from "../support/people";
import { addUser, call } from "../support/shop";

const UNFIT = [
  "http://evil.example",
  "Win a prize at WWW.evil.example",
  "ftp://x",
  "ｗｗｗ．evil.example",
  "https\u200b:\u200b//evil.example",
  "hxxp：／／evil.example",
  "Ann\nLee",
  "Ann\r\nBcc: all@mail.example",
  "Ann\u2028Lee",
  "Ann\u0085Lee",
  "A".repeat(101),
];

let made = 0;
const account = (names: Record<string, string>) => ({
  firstName: "Ann",
  lastName: "Lee",
  fullName: "Ann Lee",
  email: `names${++made}@mail.example`,
  password: "Strong1!",
  confirmPassword: "Strong1!",
  ...names,
});
const signUp = (json: unknown) =>
  call("/api/auth/signup", { json, headers: from(`10.90.${Math.floor(made / 20)}.${made % 20}`) });

describe("names of people", () => {
  it.each(UNFIT)("cannot be %j at sign-up, in the profile or by staff", async (name) => {
    const { token } = await admin();
    const own = await person();
    const other = await addUser();
    const put = (id: string, json: unknown, by: string) =>
      call(`/api/user/${id}`, { method: "PUT", json, token: by });
    for (const field of ["firstName", "lastName"]) {
      const answers = [
        await signUp(account({ [field]: name })),
        await put(own.id, { [field]: name }, own.token),
        await put(other.id, { [field]: name }, token),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect((await problems(answer)).map((each) => each.split(":")[0])).toEqual([field]);
      }
    }
    const joined = await call("/api/user", { json: account({ fullName: `Ann ${name}` }), token });
    expect([joined.status, (await problems(joined)).map((each) => each.split(":")[0])]).toEqual([
      400,
      ["fullName"],
    ]);
  });

  it("have more letters at sign-up than in the profile", async () => {
    const own = await person();
    const put = (json: unknown) => call(`/api/user/${own.id}`, { method: "PUT", json, token: own.token });
    for (const firstName of ["J.R.R.", "O’Brien-Łuk 🎉", "Ann2", "A"]) {
      expect((await signUp(account({ firstName }))).status, firstName).toBe(201);
      expect(await problems(await put({ firstName }))).toEqual([
        expect.stringMatching(/^firstName: Name (can|must)/),
      ]);
    }
    for (const firstName of ["Anna Lee", "O’Brien-Łuk", "D'Arcy", "Jose\u0301", "李伟"])
      expect((await put({ firstName })).status, firstName).toBe(200);
  });

  it("by other rules stay while they are unchanged", async () => {
    const names = { firstName: "J.R.R.", lastName: "O’Brien-Łuk 🎉" };
    const own = await person(names);
    const put = (json: object) =>
      call(`/api/user/${own.id}`, { method: "PUT", json: { ...names, ...json }, token: own.token });
    expect((await put({ phoneNumber: "5551234567" })).status).toBe(200);
    expect((await put({ lastName: "O’Brien-Łuk 💚" })).status).toBe(400);
  });

  it("may have dots, colons and slashes outside of URLs where staff write them", async () => {
    const { token } = await admin();
    for (const firstName of ["J.R.R.", "Ann/Annie", "Wwwa", "李：伟"]) {
      const json = account({ fullName: `${firstName} Lee` });
      expect((await call("/api/user", { json, token })).status, firstName).toBe(201);
    }
  });

  it.each(UNFIT)("cannot be %j in a chat", async (name) => {
    const answer = await call("/api/chat/create", { json: { userName: name, isAnonymous: true } });
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual([expect.stringMatching(/^userName: /)]);
    const { chatId, cookie } = await startChat({ userName: "Ines" });
    expect((await postMessage(chatId, "Hi", { cookie }, { senderName: name })).status).toBe(400);
    expect(await messagesOf(chatId, { cookie })).toHaveLength(1);
  });
});

describe("visitor names that resemble the shop's", () => {
  const POSING = [
    "Support Team",
    "support  TEAM\u200b",
    "Ѕuрpοrt Team",
    "Śuppórt Team",
    "SUΡΡΟRΤ ΤΕΑΜ",
    "ＳＵＰＰＯＲＴ ＴＥＡＭ",
    "𝐒𝐮𝐩𝐩𝐨𝐫𝐭 𝐓𝐞𝐚𝐦",
    "Supp0rt Tearn",
    "Sυpport-Team",
    "ꓢꓴꓑꓑꓳꓣꓔ ꓔꓰꓮꓟ",
    "Տuррогт Тeaм",
    "ꜱᴜᴘᴘᴏʀᴛ ᴛᴇᴀᴍ",
    "S\u034fupport Team",
    "Support T℮am",
    "Su⍴⍴ort Team",
    "Support ⊤eam",
    "S∪pport Te⍺m",
    "Support|Team",
    "The Support Team",
    "Support Team (Emporia)",
    "Emporia",
    "ЕМРОRІА",
    "Emporla",
    "Ernporia",
    "Emporia Support",
    "The Emporia Team",
  ];
  it.each(POSING)("are rejected: %s", async (name) => {
    const { chatId, cookie } = await startChat({ userName: name, initialMessage: "Hi" });
    await postMessage(chatId, "Hello", { cookie }, { senderName: name });
    const names = (await messagesOf(chatId, { cookie }))
      .filter((m) => !m.isFromAdmin)
      .map((m) => m.senderName);
    expect(names).toEqual(["New Customer", "New Customer"]);
  });

  it.each(["Ines", "Stu Porter", "Тимур", "Ιωάννης", "田中", "Emporio Rossi", "Team Blue", "O'Brien"])(
    "is left alone where it doesn't: %s",
    async (name) => {
      const { chatId, cookie } = await startChat({ userName: name, initialMessage: "Hi" });
      expect((await messagesOf(chatId, { cookie })).find((m) => !m.isFromAdmin)?.senderName).toBe(name);
    },
  );
});

describe("spellings of an e-mail domain", () => {
  it.each([
    ["bob@mail.example", "bob@ｍａｉｌ.example"],
    ["bob3@bücher.example", "bob3@xn--bcher-kva.example"],
    ["bob4@BÜCHER.example", "bob4@bu\u0308cher.example"],
    ["bob6@straße.example", "bob6@xn--strae-oqa.example"],
  ])("%s and %s are one account", async (first, second) => {
    expect((await signUp(account({ email: first }))).status).toBe(201);
    expect((await signUp(account({ email: second }))).status).toBe(409);
    const login = { email: second, password: "Strong1!" };
    expect((await call("/api/auth/login", { json: login, headers: from("10.91.0.1") })).status).toBe(200);
    const { token } = await admin();
    expect((await call("/api/user", { json: account({ email: second }), token })).status).toBe(409);
  });

  it.each([
    "a@b＠c.example",
    "bob@ＭＡＩＬ．ＥＸＡＭＰＬＥ",
    "bob@mail。example",
    "a@evil.example／x.y",
    "a@evil.example/x.y",
    "a@ex%61mple.example",
  ])("%s is no address", async (email) => {
    const answer = await signUp(account({ email }));
    expect([answer.status, await problems(answer)]).toEqual([
      400,
      ["email: Please enter a valid email address"],
    ]);
  });

  it("are found after the nightly cleanup of older accounts; of two with one address, the older account", async () => {
    const { id, password } = await addUser({ id: "older", email: "old@bücher.example" });
    const twin = await addUser({ id: "younger", email: "another@mail.example" });
    const before = env.DB.prepare("UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2");
    await env.DB.batch([
      before.bind("old@bücher.example", id),
      before.bind("old@bu\u0308cher.example", twin.id),
    ]);
    await renewEmailKeys(env);
    const login = { email: "old@xn--bcher-kva.example", password };
    const answer = await call("/api/auth/login", { json: login, headers: from("10.91.0.2") });
    expect(await answer.json()).toMatchObject({ user: { id } });
    const key = env.DB.prepare("SELECT email_key FROM users WHERE id = ?");
    expect(await key.bind(id).first("email_key")).toBe("old@xn--bcher-kva.example");
    expect(await key.bind(twin.id).first("email_key")).toBe("old@bu\u0308cher.example");
  });
});
