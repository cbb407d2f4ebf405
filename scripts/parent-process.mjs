// Notices that the process which started this one has ended.

const INTERVAL_MS = 500;

/**
 * Calls back once when the parent process has ended, such as npm or the shell in which it starts a script: one that is
 * killed ends without its children.
 *
 * @param {() => void} onEnd
 */
export function watchParent(onEnd) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, INTERVAL_MS);
  timer.unref();
}
