const HERTZ = 880;
const SECONDS = 0.12;
const VOLUME = 0.15;
/** Fades out at the end, since an abrupt end clicks. */
const FADE_SECONDS = 0.015;

let audio: AudioContext | undefined;

/**
 * Enables the sound on the first key or pointer press, which browsers require.
 *
 * @returns a function that stops waiting for the press
 */
export function enableSound(): () => void {
  const waiting = new AbortController();
  const enable = () => {
    audio ??= new AudioContext();
    void audio.resume();
    waiting.abort();
  };
  for (const press of ["pointerdown", "keydown"])
    window.addEventListener(press, enable, { signal: waiting.signal });
  return () => waiting.abort();
}

/** Plays the sound once; silent before the first press. */
export function playSound(): void {
  if (audio?.state !== "running") return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const end = audio.currentTime + SECONDS;
  tone.frequency.value = HERTZ;
  volume.gain.setValueAtTime(VOLUME, end - FADE_SECONDS);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}
