import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BRAND_ICONS, LUCIDE_ICONS } from "../../app/ui/icons";
import { spriteSvg } from "../../scripts/icon-sprite";

const APP = join(import.meta.dirname, "../../app");
const names = [...LUCIDE_ICONS, ...Object.keys(BRAND_ICONS)];
const sources = readdirSync(APP, { recursive: true })
  .map(String)
  .filter((name) => /\.tsx?$/.test(name) && name !== join("ui", "icons.ts"))
  .map((name) => readFileSync(join(APP, name), "utf8"));

describe("icons", () => {
  it("are listed only when a component uses them", () => {
    const unused = names.filter((name) => !sources.some((text) => text.includes(`"${name}"`)));
    expect(unused, "remove these from app/ui/icons.ts").toEqual([]);
  });

  it("each have one symbol with shapes in the sprite", () => {
    const symbols = [
      ...spriteSvg().matchAll(
        /<symbol id="([^"]+)" viewBox="0 0 24 24">((?:<[a-z]+ [^<>]*\/>\s*)+)<\/symbol>/g,
      ),
    ];
    expect(symbols.map(([, id]) => id)).toEqual(names);
  });

  it("reach the browser in the sprite and not as JavaScript", () => {
    expect(sources.filter((text) => /from "lucide/.test(text))).toEqual([]);
    expect(sources.filter((text) => /import \{[^}]*\} from "[^"]*\/icons"/.test(text))).toEqual([]);
  });
});
