import { addUser, call, openSession } from "./shop";

/** What routes about accounts answer, as far as tests look at it. */
export interface ApiAnswer {
  token: string;
  user: Record<string, unknown>;
  message: string;
  ERR_MSG: string;
  details?: { path: string; message: string }[];
}

export const readAnswer = async (answer: Response) => (await answer.json()) as ApiAnswer;

/** What an answer says is wrong, by field: every problem, in order. */
export async function problems(answer: Response): Promise<string[]> {
  const { details = [] } = await readAnswer(answer);
  return details.map(({ path, message }) => `${path}: ${message}`);
}

/** A caller's own address, so that tests don't use up each other's limits. */
export const from = (address: string) => ({ "CF-Connecting-IP": address });

let address = 0;

/** Signs in from an address of its own, far from the limit per address; gives the bearer token. */
export async function signIn(email: string, password: string): Promise<string> {
  const headers = from(`10.0.0.${++address}`);
  return (await readAnswer(await call("/api/auth/login", { json: { email, password }, headers }))).token;
}

/** A user who is signed in. */
export async function person(user: Parameters<typeof addUser>[0] = {}) {
  const made = await addUser(user);
  return { ...made, token: await openSession(made.id) };
}

export const admin = () => person({ isAdmin: true });
export const manager = () => person({ isManager: true });
