import { addUser, call, openSession } from "./shop";

/** Fields that tests read in the response body of account routes. */
export interface AccountResponse {
  token: string;
  user: Record<string, unknown>;
  message: string;
  ERR_MSG: string;
  details?: { path: string; message: string }[];
}

export const readAnswer = async (answer: Response) => (await answer.json()) as AccountResponse;

/** Lists the field errors of a response, in order. */
export async function problems(answer: Response): Promise<string[]> {
  const { details = [] } = await readAnswer(answer);
  return details.map(({ path, message }) => `${path}: ${message}`);
}

/** Header with a client address, so that tests do not share rate limits. */
export const from = (address: string) => ({ "CF-Connecting-IP": address });

let address = 0;

/** Signs in from a unique address. @returns the bearer token */
export async function signIn(email: string, password: string): Promise<string> {
  const headers = from(`10.0.0.${++address}`);
  return (await readAnswer(await call("/api/auth/login", { json: { email, password }, headers }))).token;
}

/** Creates a signed-in user. */
export async function person(user: Parameters<typeof addUser>[0] = {}) {
  const made = await addUser(user);
  return { ...made, token: await openSession(made.id) };
}

export const admin = () => person({ isAdmin: true });
export const manager = () => person({ isManager: true });
export const seller = () => person({ isSeller: true });
