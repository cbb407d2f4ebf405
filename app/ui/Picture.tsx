import { useState } from "react";
import { Icon } from "./Icon";

/** Widths that stored pictures come in, px (contract: storage/object). */
const WIDTHS = [96, 160, 240, 320, 480, 640, 800, 1000];
const STORED = "minio:";
/** Screens denser than this gain nothing that an eye sees. */
const DENSITY = 2;

interface PictureProps {
  /** As stored: `minio:{key}`, an address, or null for none. */
  image: string | null;
  /** What it shows; "" where the words beside it say so. */
  alt: string;
  /** The `sizes` that the browser chooses by. */
  sizes: string;
  /** Widest that it is ever shown, CSS px: no wider copies are offered than a dense screen needs. */
  width: number;
  /** Seen at once: loaded first, not lazily. */
  priority?: boolean;
}

/** React 18 knows the attribute by no other name. */
const AT_ONCE = { fetchpriority: "high" };
const LATER = { loading: "lazy", decoding: "async" } as const;

/**
 * A 4:5 picture with its room kept, in the width that is shown. One that is missing or fails leaves a
 * placeholder; one on another host is asked for without telling it who asks (contract: Images by URL).
 */
export function Picture({ image, alt, sizes, width, priority = false }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (!image || failed === image) return <NoPicture alt={alt} />;
  const fail = () => setFailed(image);
  return (
    <img
      {...sources(image, sizes, width)}
      {...(priority ? AT_ONCE : LATER)}
      alt={alt}
      width={800}
      height={1000}
      onError={fail}
      // It may have failed before React was there to hear of it.
      ref={(img) => void (img?.complete && img.currentSrc && !img.naturalWidth && fail())}
    />
  );
}

function sources(image: string, sizes: string, width: number) {
  if (!image.startsWith(STORED)) return { src: image, referrerPolicy: "no-referrer" as const };
  const address = `/api/storage/object?key=${encodeURIComponent(image.slice(STORED.length))}&w=`;
  let srcSet = "";
  for (const w of offered(width)) srcSet += `${srcSet && ", "}${address}${w} ${w}w`;
  return { srcSet, sizes, src: address + width };
}

/** From half of the width, for narrow screens, which are dense ones, to what a dense one shows. */
function offered(width: number): number[] {
  return WIDTHS.filter((w, i) => (WIDTHS[i - 1] ?? 0) < width * DENSITY && w * 2 > width);
}

/** Stands where a picture is missing: drawn here, loaded from nowhere. */
function NoPicture({ alt }: { alt: string }) {
  const says = alt ? `No picture: ${alt}` : "No picture yet";
  return <Icon name="tag" className="i no-picture" label={says} />;
}
