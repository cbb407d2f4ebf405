import type { ReaderOptions } from "zxing-wasm/reader";
import readerUrl from "zxing-wasm/reader/zxing_reader.wasm?url";

/** Code in a picture of the camera. */
export interface ReadCode {
  text: string;
  /** Kind of code, such as EAN-13. */
  format: string;
}

/** Reads the first code in a picture. */
export type CodeReader = (video: HTMLVideoElement) => Promise<ReadCode | null>;

/** Kinds of code by their names in the browser's detector. */
const FORMATS: Record<string, string> = {
  ean_13: "EAN-13",
  ean_8: "EAN-8",
  upc_a: "UPC-A",
  code_128: "Code 128",
  qr_code: "QR",
};

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string; format: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** Creates a reader: the browser's own where it reads every kind, else one that is loaded. @throws Error when it does not load */
export async function createReader(): Promise<CodeReader> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats = Object.keys(FORMATS);
  const known = (await Native?.getSupportedFormats().catch(() => [])) ?? [];
  if (!Native || !formats.every((format) => known.includes(format))) return loadedReader();
  const detector = new Native({ formats });
  return async (video) => {
    const [found] = await detector.detect(video);
    return found ? { text: found.rawValue, format: FORMATS[found.format] ?? found.format } : null;
  };
}

const OPTIONS: ReaderOptions = {
  formats: ["EAN13", "EAN8", "UPCA", "Code128", "QRCode"],
  maxNumberOfSymbols: 1,
};
const READER_NAMES: Record<string, string> = {
  EAN13: "EAN-13",
  EAN8: "EAN-8",
  UPCA: "UPC-A",
  Code128: "Code 128",
  QRCode: "QR",
};

async function loadedReader(): Promise<CodeReader> {
  const { prepareZXingModule, readBarcodes } = await import("zxing-wasm/reader");
  // The default would be a file of another host.
  await prepareZXingModule({ overrides: { locateFile: () => readerUrl }, fireImmediately: true });
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return async (video) => {
    const { videoWidth: width, videoHeight: height } = video;
    if (!context || width === 0) return null;
    Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0);
    const [found] = await readBarcodes(context.getImageData(0, 0, width, height), OPTIONS);
    return found ? { text: found.text, format: READER_NAMES[found.format] ?? found.format } : null;
  };
}

/** Opens the camera at the back of a phone, or the only one. @throws DOMException without one, or without permission */
export const openCamera = (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });

/** Explains why there is no picture. */
export function cameraProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError")
    return "The camera is blocked. Allow it in the browser's settings, or type the code.";
  if (name === "NotReadableError") return "Another program uses the camera. Close it, or type the code.";
  if (name === "NotFoundError" || name === "OverconstrainedError" || !navigator.mediaDevices)
    return "There is no camera here. Type the code.";
  return "The camera did not start. Type the code, or try again.";
}
