import { startChat } from "./chat";
import { type Call, call } from "./shop";

interface Kept {
  value: string;
  /** Ends when the browser closes. */
  isSession: boolean;
}

/** A browser as far as cookies go: keeps what answers set and sends it with the next request. */
export class CookieJar {
  readonly #kept = new Map<string, Kept>();

  /** The Cookie header. */
  get header(): string {
    return [...this.#kept].map(([name, { value }]) => `${name}=${value}`).join("; ");
  }

  async call(path: string, options: Call = {}): Promise<Response> {
    const answer = await call(path, { ...options, ...(this.header && { cookie: this.header }) });
    this.keep(answer);
    return answer;
  }

  /** Begins a chat, from an address of its own. */
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
      this.#kept.delete(name);
      if (maxAge !== "Max-Age=0")
        this.#kept.set(name, { value: pair.slice(name.length + 1), isSession: !maxAge });
    }
  }

  /** Forgets one cookie, as the end of its session does. */
  drop(name: string): void {
    this.#kept.delete(name);
  }

  /** Closes the browser: cookies without an age are gone. */
  restart(): void {
    for (const [name, { isSession }] of this.#kept) if (isSession) this.#kept.delete(name);
  }
}
