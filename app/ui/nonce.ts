import { createContext, useContext } from "react";

/** CSP nonce of the response during rendering; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

/** Returns the nonce for inline scripts. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
