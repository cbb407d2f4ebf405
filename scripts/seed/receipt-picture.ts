/** Letters of a receipt printer: five columns of seven dots, the top one in the lowest bit, as hexadecimal bytes. */
const LETTERS: Record<string, string> = {
  ...{ "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31", "4": "1814127f10" },
  ...{ "5": "2745454539", "6": "3c4a494930", "7": "0171090503", "8": "3649494936", "9": "064949291e" },
  ...{ A: "7e1111117e", B: "7f49494936", C: "3e41414122", D: "7f4141221c", E: "7f49494941", F: "7f09090901" },
  ...{ G: "3e4149497a", H: "7f0808087f", I: "00417f4100", J: "2040413f01", K: "7f08142241", L: "7f40404040" },
  ...{ M: "7f020c027f", N: "7f0408107f", O: "3e4141413e", P: "7f09090906", Q: "3e4151215e", R: "7f09192946" },
  ...{ S: "4649494931", T: "01017f0101", U: "3f4040403f", V: "1f2040201f", W: "3f4038403f", X: "6314081463" },
  ...{ Y: "0708700807", Z: "6151494543", ".": "0060600000", ",": "0050300000", "-": "0808080808" },
  ...{ ":": "0036360000", $: "242a7f2a12", "%": "2313086462", "/": "2010080402", "&": "3649562050" },
};
const COLUMNS = 30;
/** Dots from a letter to the next, from a line to the next, and around them. */
const [ADVANCE, LINE, MARGIN] = [6, 12, 12];
/** Pixels of a dot. */
const SCALE = 4;
const [PAPER, INK] = [0xf6, 0x2a];

/** Draws a receipt. @returns a PNG in shades of grey */
export async function drawReceipt(lines: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const width = (COLUMNS * ADVANCE + 2 * MARGIN) * SCALE;
  const height = (lines.length * LINE + 2 * MARGIN) * SCALE;
  // Each row of pixels begins with its filter: none.
  const pixels = new Uint8Array((width + 1) * height).fill(PAPER);
  for (let y = 0; y < height; y++) pixels[y * (width + 1)] = 0;
  for (const [line, text] of lines.entries())
    for (const { x, y } of dotsOf(text))
      for (let row = 0; row < SCALE; row++) {
        const from = ((MARGIN + line * LINE + y) * SCALE + row) * (width + 1) + 1 + (MARGIN + x) * SCALE;
        pixels.fill(INK, from, from + SCALE);
      }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // 8 bits of grey.
  header.setUint8(8, 8);
  const deflated = new Blob([pixels]).stream().pipeThrough(new CompressionStream("deflate"));
  const data = new Uint8Array(await new Response(deflated).arrayBuffer());
  const chunks = [chunk("IHDR", new Uint8Array(header.buffer)), chunk("IDAT", data), chunk("IEND")];
  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(await new Blob([signature, ...chunks]).arrayBuffer());
}

/** Lists the dots of a line. */
function dotsOf(text: string): { x: number; y: number }[] {
  const letters = [...text.toUpperCase()].slice(0, COLUMNS);
  return letters.flatMap((letter, i) => {
    const columns = LETTERS[letter]?.match(/../g) ?? [];
    return columns.flatMap((hex, column) =>
      Array.from({ length: 7 }, (_, y) => y)
        .filter((y) => (Number.parseInt(hex, 16) >> y) & 1)
        .map((y) => ({ x: i * ADVANCE + column, y })),
    );
  });
}

/** Builds a chunk of a PNG. */
function chunk(type: string, data = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

/** Computes the checksum of a chunk's type and data. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
