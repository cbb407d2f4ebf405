import { useNonce } from "./nonce";

/**
 * What search engines are told, in a script element of data.
 *
 * @param json JSON with every < escaped (scriptJson), so that no text in it can end the element
 */
export function JsonLd({ json }: { json: string }) {
  return (
    <script
      type="application/ld+json"
      nonce={useNonce()}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped where it is made
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}
