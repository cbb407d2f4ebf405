import type { SVGProps } from "react";

/** The networks' marks: lucide has dropped brands, so they are drawn here. */
const MARKS = {
  instagram: (
    <>
      <rect x="3.5" y="3.5" width="17" height="17" rx="5" />
      <circle cx="12" cy="12" r="4" />
      <path d="M17 7h.01" />
    </>
  ),
  facebook: <path d="M17 3h-2.5A4.5 4.5 0 0 0 10 7.5V10H7v4h3v7h4v-7h3l1-4h-4V7.8c0-.5.4-.8.9-.8H17z" />,
  tiktok: <path d="M13.5 3v12.2a3.8 3.8 0 1 1-3.8-3.8M13.5 3c.3 3 2.4 5 5.5 5.2" />,
};

export type Network = keyof typeof MARKS;

/** A network's mark, the size of the other icons. */
export function SocialIcon({ network, ...props }: { network: Network } & SVGProps<SVGSVGElement>) {
  return (
    <svg viewBox="0 0 24 24" className="i" aria-hidden="true" {...props}>
      {MARKS[network]}
    </svg>
  );
}
