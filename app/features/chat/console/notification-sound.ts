/** The console's sound (back office 9): browsers allow it once somebody has pressed something. */

const HERTZ = 880;
const SECONDS = 0.12;
const VOLUME = 0.15;
/** So short a fade that it isn't heard; without it the end cracks. */
const FADE = 0.015;

let audio: AudioContext | undefined;

/**
 * Makes the sound ready with the first press.
 *
 * @returns ends the waiting for it
 */
export function primeBeep(): () => void {
  const waiting = new AbortController();
  const prime = () => {
    audio ??= new AudioContext();
    void audio.resume();
    waiting.abort();
  };
  for (const press of ["pointerdown", "keydown"])
    window.addEventListener(press, prime, { signal: waiting.signal });
  return () => waiting.abort();
}

/** Sounds once; silent where nobody has pressed anything yet. */
export function beep(): void {
  if (audio?.state !== "running") return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const end = audio.currentTime + SECONDS;
  tone.frequency.value = HERTZ;
  volume.gain.setValueAtTime(VOLUME, end - FADE);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}
