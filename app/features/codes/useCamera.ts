import { type RefObject, useEffect, useRef, useState } from "react";
import { useLatest } from "~/ui/latest";
import { cameraProblem, createReader, openCamera, type ReadCode } from "./camera";

/** Pause between two pictures that are read, ms. */
const PAUSE = 120;
/** Time for which a code is out of the picture before it counts again, ms. */
const GONE = 1500;

/** Reads codes from the camera while the component is shown. @param onCode gets each code once while it is in the picture */
export function useCamera(video: RefObject<HTMLVideoElement>, onCode: (code: ReadCode) => void) {
  const [problem, setProblem] = useState<string | null>(null);
  const stream = useRef<MediaStream | null>(null);
  const latest = useLatest(onCode);
  useEffect(() => {
    const closing = new AbortController();
    const element = video.current;
    const run = async () => {
      const [opened, read] = await Promise.all([openCamera(), createReader()]);
      stream.current = opened;
      if (closing.signal.aborted || !element) return stop(opened);
      element.srcObject = opened;
      await element.play();
      await readOn(element, read, closing.signal, (code) => latest.current(code));
    };
    run().catch((error: unknown) => closing.signal.aborted || setProblem(cameraProblem(error)));
    return () => {
      closing.abort();
      stop(stream.current);
    };
  }, [video, latest]);
  return { problem, light: useLight(stream) };
}

const stop = (stream: MediaStream | null) => {
  for (const track of stream?.getTracks() ?? []) track.stop();
};

/** Reads picture after picture until the signal. */
async function readOn(
  video: HTMLVideoElement,
  read: (video: HTMLVideoElement) => Promise<ReadCode | null>,
  signal: AbortSignal,
  onCode: (code: ReadCode) => void,
): Promise<void> {
  let last = { text: "", at: 0 };
  while (!signal.aborted) {
    const code = await read(video).catch(() => null);
    const now = performance.now();
    if (code && !signal.aborted) {
      if (code.text !== last.text || now - last.at > GONE) onCode(code);
      last = { text: code.text, at: now };
    }
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

/** Switches the light of a phone's camera; null for a camera without one. */
function useLight(stream: RefObject<MediaStream | null>) {
  const [isOn, setOn] = useState(false);
  const [track] = stream.current?.getVideoTracks() ?? [];
  const { torch } = (track?.getCapabilities?.() ?? {}) as { torch?: boolean };
  if (!track || !torch) return null;
  const toggle = () => {
    setOn(!isOn);
    void track.applyConstraints({ advanced: [{ torch: !isOn } as MediaTrackConstraintSet] });
  };
  return { isOn, toggle };
}
