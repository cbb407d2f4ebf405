/** Vocabulary of the generated catalogue. */

export const LOOKS = words(`
  amber antique arched bare beaded bevelled birch blush bold braided bright brushed calm carved cedar charcoal
  classic clear coastal cobalt compact copper coral cosy crescent curved dainty deep double dusky embossed faceted
  feather fern fine floral fluted folded forest fresh frosted gentle gilded glazed golden granite grand hammered
  hazel hidden honey indigo inlaid ivory jade lacquered lavender leafy light linen little lunar maple marbled matte
  midnight mint mirrored misty modern mossy narrow natural northern oak oiled olive opal open oval pale pastel pearl
  pebble petite pine plain pleated polished quiet quilted rainy raw ribbed rosy rounded rustic sage salted sandy
  satin scalloped seaside shaded silken silver simple slate slender slim smoked smooth soft solid spruce starry
  steady stitched stone striped sturdy sunlit tall tawny textured tidal tinted twilight twisted velvet vintage
  violet walnut warm washed waxed weathered wide wild winding woven`);

export const MADE_OF = words(`
  acacia alabaster aluminium ash bamboo beech brass bronze canvas ceramic cherry clay cork cotton crystal denim
  ebony enamel felt flax glass gold hemp iron jute leather marble mohair nickel nylon onyx paper pewter porcelain
  quartz rattan resin rubber sandstone shell silicone silk soapstone steel stoneware suede teak terracotta tin
  titanium topaz tweed wicker willow wool zinc`);

/** Product types of each category, in the order of CATEGORIES. */
export const THINGS: readonly (readonly string[])[] = [
  words("case bumper wallet sleeve cover folio pouch shell holster skin"),
  words("keyboard mouse stand hub dock webcam headset monitor cable adapter"),
  words("charger tripod holder earbuds strap grip battery stylus lens mount"),
  words("organiser visor compressor dashcam headrest seatbelt mat hook shade tray"),
  words("ring necklace bracelet earrings pendant brooch anklet cufflinks bangle locket"),
  words("cream balm soap serum lotion mask brush comb candle salts"),
  words("vase lamp rug cushion clock mirror planter basket blanket frame"),
  words("plaque keyring nameplate medal trophy tankard pen lighter sign tag"),
  words("umbrella notebook puzzle kite flask backpack lantern hammock telescope globe"),
];

export const USES = words(`
  afternoon autumn balcony bath bedroom bedside birthday bookshelf breakfast camp christmas city commuter corner
  cottage countertop daily desk dinner doorstep evening everyday festival fireside garden gift guest hallway harbour
  holiday house hotel journey kitchen lakeside library market meadow morning mountain office orchard parlour patio
  picnic porch reading reception road school shelf spring studio summer sunday table terrace theatre travel
  wedding weekend window winter workshop`);

const HEADS = words(
  "al bar bel bran cal car cor dal del dun el fal fen gar glen har hol kel lan lor mar mel mor nor",
);
const MIDDLES = words("a an ar e en er i in ing ley lo low o on or wen");
const TAILS = words(
  "bay brook by dale den field ford ham hill holm lea mere mont ness ridge stead ton vale ville wick",
);

/** Invented brand names: HEADS × MIDDLES × TAILS, 7,680 in all. */
export function maker(number: number): string {
  const part = (of: readonly string[], step: number) => of[Math.floor(number / step) % of.length] ?? "";
  const name = part(HEADS, 1) + part(MIDDLES, HEADS.length) + part(TAILS, HEADS.length * MIDDLES.length);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export const MAKERS = HEADS.length * MIDDLES.length * TAILS.length;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
