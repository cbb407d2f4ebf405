// Copies the mails that wrangler dev writes to temporary folders to one place: STATE_DIR/mail/*.eml.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Copies mails as they are written.
 *
 * @param {string} stateDir the shop's state; its tmp/ is wrangler's temporary folder
 * @returns {() => void} stops copying
 */
export function collectMail(stateDir) {
  const from = join(stateDir, "tmp");
  const to = join(stateDir, "mail");
  mkdirSync(to, { recursive: true });
  const collect = () => {
    for (const path of readdirSync(from, { recursive: true })) {
      if (!String(path).endsWith(".eml")) continue;
      const target = join(to, basename(String(path)));
      if (existsSync(target)) continue;
      copyFileSync(join(from, String(path)), `${target}.part`);
      renameSync(`${target}.part`, target);
    }
  };
  const timer = setInterval(collect, 250);
  return () => {
    clearInterval(timer);
    collect();
  };
}
