import { Icon } from "~/ui/Icon";
import { fileUrl, formatSize, isPicture, THUMBNAIL_WIDTHS } from "./files";
import { splitLinks } from "./message-links";
import type { FileCard } from "./protocol";

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

/** Files of a message: pictures link to their full size, other files are downloads. */
export function FileCards({ files }: { files: FileCard[] }) {
  if (files.length === 0) return null;
  return (
    <div className="file-cards">
      {files.map((file) =>
        isPicture(file) ? <Thumbnail key={file.key} file={file} /> : <Download key={file.key} file={file} />,
      )}
    </div>
  );
}

/** Box that thumbnails fit into, px. */
const BOX = { width: 220, height: 220 };

function Thumbnail({ file }: { file: FileCard }) {
  const { key, name, contentType, width = BOX.width, height = BOX.width } = file;
  const scale = Math.min(1, BOX.width / width, BOX.height / height);
  const small = {
    srcSet: THUMBNAIL_WIDTHS.map((offered) => `${fileUrl(key, offered)} ${offered}w`).join(", "),
    sizes: `${BOX.width}px`,
  };
  const isAnimation = contentType === "image/gif";
  return (
    <a className="file-picture" href={fileUrl(key)} target="_blank" rel="noopener">
      <picture>
        {isAnimation && <source media="(prefers-reduced-motion: reduce)" {...small} />}
        <img
          src={fileUrl(key, isAnimation ? undefined : THUMBNAIL_WIDTHS[0])}
          {...(!isAnimation && small)}
          // Sizes of the display: the picture takes its room before it has loaded.
          width={Math.max(1, Math.round(width * scale))}
          height={Math.max(1, Math.round(height * scale))}
          alt={name}
          decoding="async"
        />
      </picture>
    </a>
  );
}

function Download({ file: { key, name, size } }: { file: FileCard }) {
  return (
    <a className="file-download" href={fileUrl(key)} download={name}>
      <Icon name="file-text" />
      <span className="attachment-name">
        {name}
        <small>PDF, {formatSize(size)}</small>
      </span>
    </a>
  );
}
