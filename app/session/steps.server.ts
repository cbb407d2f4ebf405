import type { RequestContext } from "~/http/request-context.server";
import { sealedCookie } from "./cookies.server";
import { sealed, unsealed } from "./sealed.server";

/** First half of a task that takes two pages, by kind. It is no session. */
export interface Steps {
  /** The right password was given. */
  signIn: {
    userId: string;
    remembered: boolean;
    /** Hash of the account's password hash: another password ends the step. */
    mark: string;
  };
  /** The password was given to set up a second factor, whose secret is stored nowhere else yet. */
  setUp: { userId: string; secret: string };
}

/** Lifetime of a step, seconds. */
const STEP_SECONDS = 600;

type StepContext = Pick<RequestContext, "cookies" | "env" | "headers" | "now" | "secure">;
const purposeOf = (kind: keyof Steps) => `step:${kind}`;

/** Keeps a step in the browser, encrypted, in place of a former one. */
export async function keepStep<Kind extends keyof Steps>(
  { env, headers, now, secure }: StepContext,
  kind: Kind,
  step: Steps[Kind],
): Promise<void> {
  const text = JSON.stringify({ ...step, until: now + STEP_SECONDS });
  const value = await sealed(env.COOKIE_SECRET, purposeOf(kind), text);
  headers.append("Set-Cookie", await sealedCookie("step", value, STEP_SECONDS, secure));
}

/** Returns the step of a kind; null without one, for an ended and for a forged one. */
export async function readStep<Kind extends keyof Steps>(
  { cookies, env, now }: StepContext,
  kind: Kind,
): Promise<Steps[Kind] | null> {
  if (cookies.step === null) return null;
  const text = await unsealed(env.COOKIE_SECRET, purposeOf(kind), cookies.step);
  if (text === null) return null;
  const { until, ...step } = JSON.parse(text) as Steps[Kind] & { until: number };
  return until > now ? (step as unknown as Steps[Kind]) : null;
}

/** Ends the browser's step. */
export async function endStep({ headers, secure }: StepContext): Promise<void> {
  headers.append("Set-Cookie", await sealedCookie("step", null, 0, secure));
}
