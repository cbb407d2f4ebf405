const FILES = import.meta.glob<string>("../fixtures/import/*", {
  eager: true,
  query: "?url&inline",
  import: "default",
});

/** Reads a file of tests/fixtures/import, also where there is no file system. */
export function importCase(name: string): Uint8Array<ArrayBuffer> {
  const url = FILES[`../fixtures/import/${name}`];
  if (!url) throw new Error(`There is no tests/fixtures/import/${name}`);
  const [head = "", data = ""] = [url.slice(0, url.indexOf(",")), url.slice(url.indexOf(",") + 1)];
  const binary = head.endsWith(";base64") ? atob(data) : decodeURIComponent(data);
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
