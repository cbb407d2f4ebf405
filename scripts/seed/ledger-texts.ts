import type { Business, ExpenseType, PaymentMode } from "../../app/domain/enums";

// Texts and figures of the demo's ledger.

/** Relative sales by category in an average month. */
export const SHARES: Record<string, number> = {
  PHONE_CASE: 24,
  COMPUTER_ACCESSORY: 9,
  PHONE_ACCESSORY: 16,
  CAR_ACCESSORY: 6,
  JEWELRY: 9,
  HEALTH_AND_BEAUTY: 9,
  HOME_DECOR: 9,
  ENGRAVING: 14,
  OTHERS: 6,
};

/** Seasonal factors by month and category. */
export const SEASONS: Record<number, Record<string, number>> = {
  2: { JEWELRY: 2 },
  5: { ENGRAVING: 1.6, JEWELRY: 1.4 },
  6: { ENGRAVING: 1.8 },
  7: { CAR_ACCESSORY: 2.2 },
  8: { CAR_ACCESSORY: 1.8, OTHERS: 1.3 },
  9: { COMPUTER_ACCESSORY: 1.9, PHONE_CASE: 1.4 },
  10: { HOME_DECOR: 1.5 },
  11: { HOME_DECOR: 1.6, HEALTH_AND_BEAUTY: 1.5 },
  12: { ENGRAVING: 2, JEWELRY: 1.9, HOME_DECOR: 1.5 },
};

/** Sales factor by month, January first. */
export const BUSY = [0.72, 0.85, 0.82, 0.88, 1.05, 1, 0.84, 0.9, 1.08, 1.1, 1.3, 1.75];
/** Sales factor by weekday, Sunday first. */
export const WEEK = [0.55, 0.8, 0.9, 0.95, 1.1, 1.35, 1.4];

export const PHONES = [
  "iPhone 17 Pro",
  "iPhone 17",
  "iPhone 16",
  "iPhone 15",
  "Galaxy S26",
  "Galaxy S25",
  "Galaxy A56",
  "Pixel 10",
  "Pixel 9a",
];

export const FAMILIES = [
  "The Okafors",
  "The Tremblays",
  "Nguyen",
  "The Haddads",
  "Maison Moreau",
  "The Singhs",
  "Casa Fernández",
  "The Larches",
  "Bergström",
  "The O'Briens",
  "Famille Bélanger",
  "Adeyemi",
];
export const NAMES = [
  "Priya",
  "Luca",
  "Amara",
  "Jonas",
  "Élodie",
  "Mateo",
  "Yuki",
  "Noor",
  "Saoirse",
  "Kwame",
];
export const INITIALS = ["R.K.", "A.M.", "J.T.", "E.B.", "N.H.", "P.S.", "L.F.", "C.D."];

/** Engraving jobs with the range of unit prices (dollars) and the maximum quantity. */
export const JOBS: { text: string; from: number; to: number; most: number }[] = [
  { text: "Walnut board, engraved “{family}”", from: 78, to: 128, most: 2 },
  { text: "Oak cheese board, “{family}”", from: 64, to: 96, most: 2 },
  { text: "Slate coasters, engraved, set of 4", from: 36, to: 48, most: 4 },
  { text: "Steel tumbler, name “{name}”", from: 42, to: 52, most: 6 },
  { text: "Key tag, “{name}”", from: 16, to: 22, most: 8 },
  { text: "Dog tag, “{name}” and phone number", from: 19, to: 24, most: 2 },
  { text: "Whisky glass, monogram {initials}", from: 29, to: 38, most: 6 },
  { text: "Wooden pen, {initials}", from: 45, to: 55, most: 3 },
  { text: "Leather wallet, initials {initials}", from: 68, to: 84, most: 1 },
  { text: "House plaque, “{family}”", from: 92, to: 160, most: 1 },
  { text: "Photo engraved on birch, 20 by 25 cm", from: 58, to: 74, most: 2 },
  { text: "Customer's own flask, engraved “{name}”", from: 20, to: 28, most: 4 },
  { text: "Trophy plates, spring tournament", from: 11, to: 14, most: 24 },
  { text: "Menu boards for the bakery, logo", from: 34, to: 42, most: 12 },
  { text: "Door numbers, anodised, for the co-op", from: 13, to: 17, most: 30 },
];

/** Invoice texts besides products. */
export const EXTRAS = [
  { text: "Gift wrapping and card", from: 5, to: 6 },
  { text: "Local delivery", from: 8, to: 12 },
  { text: "Screen glass fitted", from: 10, to: 15 },
];

/** Expenses by business, with frequency per month and range of amounts (dollars). */
export const SPENDING: {
  type: ExpenseType;
  business: Business;
  texts: string[];
  often: number;
  from: number;
  to: number;
}[] = [
  {
    type: "SHIPPING",
    business: "EMPORIA",
    texts: ["Canada Post, parcels of the week", "Bubble mailers, box of 200", "Courier to Ottawa"],
    often: 3,
    from: 24,
    to: 92,
  },
  {
    type: "PURCHASE",
    business: "EMPORIA",
    texts: [
      "Silicone cases, restock",
      "Cables and chargers, carton",
      "Candles, two dozen",
      "Tempered glass, 100 pieces",
    ],
    often: 1.4,
    from: 160,
    to: 460,
  },
  {
    type: "IMPORT",
    business: "EMPORIA",
    texts: ["Duty and brokerage, earbuds", "Customs, leather folios", "Sea freight, shared pallet"],
    often: 0.6,
    from: 190,
    to: 620,
  },
  {
    type: "VENDOR",
    business: "EMPORIA",
    texts: ["Mallory Ceramics, mugs on consignment", "Pearl studs, second half"],
    often: 0.5,
    from: 140,
    to: 380,
  },
  {
    type: "MARKETING",
    business: "EMPORIA",
    texts: ["Flyers for the Saturday market", "Product photographs, half a day"],
    often: 0.4,
    from: 60,
    to: 190,
  },
  {
    type: "ADVERTISEMENT",
    business: "EMPORIA",
    texts: ["Instagram, two weeks", "Neighbourhood newsletter, banner"],
    often: 0.8,
    from: 35,
    to: 95,
  },
  {
    type: "PLATFORM",
    business: "EMPORIA",
    texts: ["Hosting and mail", "Card terminal, monthly fee"],
    often: 1.6,
    from: 29,
    to: 49,
  },
  {
    type: "TAXI",
    business: "EMPORIA",
    texts: ["Taxi to the supplier", "Taxi, two boxes to the market"],
    often: 0.7,
    from: 14,
    to: 38,
  },
  {
    type: "MISC",
    business: "EMPORIA",
    texts: ["Till rolls and labels", "Light bulbs, back room"],
    often: 0.6,
    from: 12,
    to: 48,
  },
  { type: "OTHERS", business: "EMPORIA", texts: ["Market stall, day fee"], often: 0.25, from: 40, to: 60 },
  {
    type: "SHIPPING",
    business: "LASER",
    texts: ["Crate for the slate", "Courier, plaques to Kingston"],
    often: 1.2,
    from: 22,
    to: 110,
  },
  {
    type: "PURCHASE",
    business: "LASER",
    texts: ["Walnut and oak blanks", "Slate blanks, 60 pieces", "Steel tumblers, two cases"],
    often: 1,
    from: 110,
    to: 360,
  },
  {
    type: "IMPORT",
    business: "LASER",
    texts: ["Duty, laser lens and mirrors"],
    often: 0.2,
    from: 120,
    to: 340,
  },
  {
    type: "VENDOR",
    business: "LASER",
    texts: ["Sanding and oiling, Beck Woodwork", "Leather cut to size"],
    often: 0.6,
    from: 110,
    to: 320,
  },
  {
    type: "MARKETING",
    business: "LASER",
    texts: ["Samples for wedding planners"],
    often: 0.35,
    from: 55,
    to: 160,
  },
  { type: "ADVERTISEMENT", business: "LASER", texts: ["Wedding fair listing"], often: 0.2, from: 40, to: 90 },
  { type: "PLATFORM", business: "LASER", texts: ["Design software, monthly"], often: 1, from: 24, to: 32 },
  { type: "TAXI", business: "LASER", texts: ["Taxi with the trophy plates"], often: 0.2, from: 12, to: 30 },
  {
    type: "MISC",
    business: "LASER",
    texts: ["Laser lens wipes and tape", "Air filter"],
    often: 0.5,
    from: 14,
    to: 65,
  },
];

/** Suppliers of the expenses and how they are paid, by the text of the expense. Other texts name none. */
export const SUPPLIERS: Record<string, { supplier: string; mode: PaymentMode }> = {
  "Canada Post, parcels of the week": { supplier: "Canada Post", mode: "CARD" },
  "Bubble mailers, box of 200": { supplier: "Harbour Packaging", mode: "EMT" },
  "Courier to Ottawa": { supplier: "Redline Courier", mode: "CARD" },
  "Silicone cases, restock": { supplier: "Casemakers Wholesale", mode: "EMT" },
  "Cables and chargers, carton": { supplier: "Volta Trading", mode: "EMT" },
  "Candles, two dozen": { supplier: "Wick & Ember", mode: "CARD" },
  "Tempered glass, 100 pieces": { supplier: "Casemakers Wholesale", mode: "EMT" },
  "Sea freight, shared pallet": { supplier: "Lakeshore Freight", mode: "EMT" },
  "Mallory Ceramics, mugs on consignment": { supplier: "Mallory Ceramics", mode: "EMT" },
  "Flyers for the Saturday market": { supplier: "Quayside Printing", mode: "CARD" },
  "Hosting and mail": { supplier: "Cloud Harbour", mode: "CARD" },
  "Card terminal, monthly fee": { supplier: "Tapwell Payments", mode: "CARD" },
  "Taxi to the supplier": { supplier: "City Cab", mode: "CASH" },
  "Taxi, two boxes to the market": { supplier: "City Cab", mode: "CASH" },
  "Till rolls and labels": { supplier: "Paper & Roll", mode: "CASH" },
  "Light bulbs, back room": { supplier: "Corner Hardware", mode: "CASH" },
  "Market stall, day fee": { supplier: "Saturday Market", mode: "CASH" },
  "Courier, plaques to Kingston": { supplier: "Redline Courier", mode: "CARD" },
  "Walnut and oak blanks": { supplier: "Northwood Timber", mode: "EMT" },
  "Slate blanks, 60 pieces": { supplier: "Bluestone Slate", mode: "EMT" },
  "Steel tumblers, two cases": { supplier: "Ironbark Supply", mode: "CARD" },
  "Sanding and oiling, Beck Woodwork": { supplier: "Beck Woodwork", mode: "EMT" },
  "Leather cut to size": { supplier: "Tannery Row", mode: "EMT" },
  "Design software, monthly": { supplier: "Vectorline", mode: "CARD" },
  "Taxi with the trophy plates": { supplier: "City Cab", mode: "CASH" },
  "Laser lens wipes and tape": { supplier: "Beamline Supply", mode: "CARD" },
  "Air filter": { supplier: "Beamline Supply", mode: "CARD" },
};
