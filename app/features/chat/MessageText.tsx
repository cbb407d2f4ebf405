import { splitLinks } from "./message-links";

/** Text of a message, with its web addresses as links. */
export function MessageText({ text }: { text: string }) {
  return splitLinks(text).map((segment) =>
    segment.href === null ? (
      segment.text
    ) : (
      <a key={segment.at} href={segment.href} target="_blank" rel="nofollow noopener">
        {segment.text}
      </a>
    ),
  );
}
