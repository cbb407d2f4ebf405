/** What the owner's spreadsheet may do in its frame: work, but not lead the back office away. */
const MAY =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads";

/** The owner's own spreadsheet, in a frame 800 pixels tall (back office 2, Inventory). */
export function InventorySheet({ address }: { address: string }) {
  return (
    <section className="panel sheet-frame" aria-label="Inventory">
      <iframe src={address} title="Inventory spreadsheet" height={800} sandbox={MAY} allowFullScreen />
    </section>
  );
}
