import { sortKey } from "../../app/db/text";
import { hashPassword } from "../../app/features/accounts/passwords.server";
import { emailKey } from "../../app/http/email-address";
import { seededRandom } from "./random";
import signIns from "./sign-ins.json";

const FIRST = [
  "Amara",
  "Jonas",
  "Priya",
  "Luca",
  "Saoirse",
  "Mateo",
  "Yuki",
  "Noor",
  "Elif",
  "Anders",
  "Chloé",
  "Kwame",
];
const LAST = [
  "Tremblay",
  "Nguyen",
  "O'Brien",
  "Haddad",
  "Kowalski",
  "Fernández",
  "Bergström",
  "Singh",
  "Moreau",
  "Adeyemi",
];
/** Number of users without a known password. */
const OTHERS = 36;
/** Time of the first sign-up: 2024-12-01T15:00:00Z. */
const OPENED = 1_733_065_200;

interface Person {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  isAdmin: boolean;
  isManager: boolean;
  isSeller: boolean;
  isUser: boolean;
  phoneNumber: string;
}

/**
 * Adds the 40 demo users, four of whom can sign in (scripts/seed/sign-ins.json).
 *
 * @param env local bindings
 */
export async function seedPeople(env: Env): Promise<void> {
  const people = [...(await signedIn()), ...(await others())];
  const insert = env.DB.prepare(
    `INSERT INTO users (id, email, email_key, first_name, last_name, phone_number, password_hash,
       is_admin, is_manager, is_seller, is_user, created_at, updated_at, sort_key)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13)`,
  );
  const rows = people.map((person, i) =>
    insert.bind(
      `user-${String(i + 1).padStart(2, "0")}`,
      person.email,
      emailKey(person.email),
      person.firstName,
      person.lastName,
      person.phoneNumber,
      person.passwordHash,
      Number(person.isAdmin),
      Number(person.isManager),
      Number(person.isSeller),
      Number(person.isUser),
      OPENED + i * 17 * 86_400 + i * 1_234,
      sortKey(`${person.firstName} ${person.lastName}`),
    ),
  );
  await env.DB.batch(rows);
}

function signedIn(): Promise<Person[]> {
  return Promise.all(
    signIns.map(async ({ role, email, password, firstName, lastName }) => ({
      email,
      firstName,
      lastName,
      passwordHash: await hashPassword(password, fixedSalt(email)),
      isAdmin: role === "admin",
      isManager: role === "manager",
      isSeller: role === "seller",
      isUser: true,
      phoneNumber: "4165550100",
    })),
  );
}

/** Creates users with a random password that is not stored. */
async function others(): Promise<Person[]> {
  const random = seededRandom(40);
  const unknown = await hashPassword(crypto.randomUUID());
  return Array.from({ length: OTHERS }, (_, i) => {
    const firstName = FIRST[i % FIRST.length] ?? "";
    const lastName = LAST[(i * 7) % LAST.length] ?? "";
    const mailbox = `${firstName}.${lastName}${i}`
      .normalize("NFD")
      .replace(/[^\w.]/g, "")
      .toLowerCase();
    return {
      email: `${mailbox}@mail.example`,
      firstName,
      lastName,
      passwordHash: unknown,
      isAdmin: false,
      isManager: i === 5,
      isSeller: false,
      isUser: i % 12 !== 11,
      phoneNumber: random() < 0.3 ? "" : `416555${String(Math.floor(random() * 10_000)).padStart(4, "0")}`,
    };
  });
}

function fixedSalt(email: string): Uint8Array {
  return new TextEncoder().encode(email.padEnd(16, ".").slice(0, 16));
}
