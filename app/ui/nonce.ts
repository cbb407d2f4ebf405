import { createContext, useContext } from "react";

/** The answer's CSP nonce while a page is rendered; undefined in the browser, which keeps what it was sent. */
export const NonceContext = createContext<string | undefined>(undefined);

/** The nonce that inline scripts of this answer must carry. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
