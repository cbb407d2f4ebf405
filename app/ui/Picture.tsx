import { useState } from "react";
import { Icon } from "./Icon";

/** Available widths of stored images, px. */
const WIDTHS = [96, 160, 240, 320, 480, 640, 800, 1000];
const STORED = "minio:";
/** Highest device pixel ratio with a visible gain. */
const MAX_DENSITY = 2;

interface PictureProps {
  /** Stored value: `minio:{key}`, a URL or null. */
  image: string | null;
  /** Alternative text; "" next to equivalent text. */
  alt: string;
  sizes: string;
  /** Maximum displayed width, CSS px. */
  width: number;
  /** Loads the image first instead of lazily. */
  priority?: boolean;
}

/** React 18 accepts the attribute only in lower case. */
const EAGER = { fetchpriority: "high" };
const LAZY = { loading: "lazy", decoding: "async" } as const;

/**
 * Responsive 4:5 image with reserved space and a placeholder on failure. Images on other hosts are requested without a
 * referrer.
 */
export function Picture({ image, alt, sizes, width, priority = false }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (!image || failed === image) return <NoPicture alt={alt} />;
  const fail = () => setFailed(image);
  return (
    <img
      {...sources(image, sizes, width)}
      {...(priority ? EAGER : LAZY)}
      alt={alt}
      width={800}
      height={1000}
      onError={fail}
      // The image may have failed before hydration.
      ref={(img) => void (img?.complete && img.currentSrc && !img.naturalWidth && fail())}
    />
  );
}

/** Address of a stored entry in a width, px; others have one. */
export function pictureUrl(image: string, width: number | ""): string {
  if (!image.startsWith(STORED)) return image;
  return `/api/storage/object?key=${encodeURIComponent(image.slice(STORED.length))}&w=${width}`;
}

function sources(image: string, sizes: string, width: number) {
  const url = pictureUrl(image, "");
  if (url === image) return { src: image, referrerPolicy: "no-referrer" as const };
  let srcSet = "";
  let narrower = 0;
  for (const w of WIDTHS) {
    // Narrower ones are left out: screens that display the picture smaller have a density of 2 and more.
    if (w * 4 > width * 3 && narrower < width * MAX_DENSITY) srcSet += `${srcSet && ", "}${url}${w} ${w}w`;
    narrower = w;
  }
  return { srcSet, sizes, src: url + width };
}

function NoPicture({ alt }: { alt: string }) {
  const label = alt ? `No picture: ${alt}` : "No picture yet";
  return <Icon name="tag" className="i no-picture" label={label} />;
}
