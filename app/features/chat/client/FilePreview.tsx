import { useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";

/** Preview of a file on this device: the picture, or an icon. */
export function FilePreview({ file }: { file: File }) {
  const url = useObjectUrl(file);
  return url ? (
    <img className="file-preview" src={url} alt="" />
  ) : (
    <span className="file-preview">
      <Icon name="file-text" />
    </span>
  );
}

/** Creates a URL of a picture for as long as the component is mounted. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}
