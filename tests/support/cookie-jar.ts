import { startChat } from "./chat";
import { type CallOptions, call } from "./shop";

interface StoredCookie {
  value: string;
  /** Ends when the browser closes. */
  isSession: boolean;
}

/** Cookie jar: stores the cookies of responses and sends them with the next request. */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  /** The Cookie header. */
  get header(): string {
    return [...this.#cookies].map(([name, { value }]) => `${name}=${value}`).join("; ");
  }

  async call(path: string, options: CallOptions = {}): Promise<Response> {
    const answer = await call(path, { ...options, ...(this.header && { cookie: this.header }) });
    this.keep(answer);
    return answer;
  }

  /** Starts a chat from a new IP address. */
  async beginChat(fields: Record<string, unknown> = {}): Promise<string> {
    const { chatId, answer } = await startChat(fields, this.header ? { cookie: this.header } : {});
    this.keep(answer);
    return chatId;
  }

  keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const name = pair.slice(0, pair.indexOf("="));
      const maxAge = attributes.find((attribute) => attribute.startsWith("Max-Age="));
      this.#cookies.delete(name);
      if (maxAge !== "Max-Age=0")
        this.#cookies.set(name, { value: pair.slice(name.length + 1), isSession: !maxAge });
    }
  }

  /** Deletes one cookie. */
  drop(name: string): void {
    this.#cookies.delete(name);
  }

  /** Restarts the browser: session cookies are deleted. */
  restart(): void {
    for (const [name, { isSession }] of this.#cookies) if (isSession) this.#cookies.delete(name);
  }
}
