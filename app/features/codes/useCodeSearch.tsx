import { useState } from "react";
import { useNavigate } from "~/ui/navigation";
import { type CodeHit, looksLikeCode, lookUpCode } from "./lookup";
import { ScanButton } from "./ScanButton";

/**
 * Makes the search of a list take codes: Enter on an exact code opens its unit, and one of several or of none asks.
 *
 * @param urlOf where a unit is opened
 * @returns the button of the camera, and what handles a sent search: true where it was a code
 */
export function useCodeSearch(urlOf: (unit: CodeHit) => string) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<string | null>(null);
  const open = (unit: CodeHit) => navigate(urlOf(unit), { preventScrollReset: true });
  const onSearch = async (text: string): Promise<boolean> => {
    const hits = await lookUpCode(text);
    const [only, second] = hits ?? [];
    if (only && !second) open(only);
    else if (second || (hits && looksLikeCode(text))) setAsked(text);
    else return false;
    return true;
  };
  const scan = <ScanButton onHit={open} code={asked} onClose={() => setAsked(null)} />;
  return { scan, onSearch };
}
