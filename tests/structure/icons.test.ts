import { statSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BRAND_ICONS, LOGO, LUCIDE_ICONS } from "../../app/ui/icons";
import { iconSprite, spriteSvg } from "../../scripts/icon-sprite";
import { filesIn, read } from "./sources";

const names = [...LUCIDE_ICONS, ...Object.keys(BRAND_ICONS)];
const sources = filesIn(["app"], /\.tsx?$/)
  .filter((path) => path !== "app/ui/icons.ts")
  .map(read);

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

  it("are not written again while they are the same: the shop would be built anew", () => {
    const sprite = new URL("../../app/ui/icons.svg", import.meta.url);
    const { buildStart } = iconSprite();
    buildStart();
    utimesSync(sprite, 1, 1);
    buildStart();
    expect(statSync(sprite).mtimeMs).toBe(1000);
  });

  it("have the logo beside them", () => {
    expect(spriteSvg()).toContain(`<symbol id="logo" viewBox="0 0 32 32">${LOGO}</symbol>`);
    expect(read("app/ui/Icon.tsx")).not.toContain("<path");
  });

  it("reach the browser in the sprite and not as JavaScript", () => {
    expect(sources.filter((text) => /from "lucide/.test(text))).toEqual([]);
    expect(sources.filter((text) => /import \{[^}]*\} from "[^"]*\/icons"/.test(text))).toEqual([]);
  });
});
