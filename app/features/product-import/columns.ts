import { FIELDS, type ProductField } from "~/features/catalogue/product-fields";
import { certainPrice, priceColumns } from "./price-column";
import { headerKey, type Mapping, type SheetRow } from "./sheet";

/** Other header keys of each field, the likeliest first. */
const SYNONYMS: Record<Exclude<ProductField, "price">, string> = {
  name: `productname product title titel titre titulo titolo produkt produktname artikelname producttitle
    item itemname artikel bezeichnung nom nomduproduit nomproduit nombre nombredelproducto nome nomedelprodotto`,
  description: `text details body bodyhtml longdescription productdescription produktbeschreibung
    artikelbeschreibung beschreibung descripcion descrizione omschrijving`,
  stock: `qty quantity inventory inventoryqty onhand instock stockquantity bestand menge lager lagerbestand
    anzahl stueck stuck quantite quantita cantidad existencias giacenza voorraad aantal`,
  category: "categories type producttype productcategory department kategorie categorie categoria",
  colors: "color colour colours farbe farben couleur couleurs colore colori kleur kleuren colores",
  hasEngraving: "engraving engraved engravable gravur gravierbar gravure",
  imageUrls:
    "imageurl images image photo photos picture pictures imagesrc imagelinks bilder bild imagelink immagine immagini imagen imagenes afbeelding afbeeldingen picurl",
};

/**
 * Guesses the field of each column, by the fields' names first, then by their synonyms. Each field gets one column, the
 * price only a certain one.
 *
 * @param rows tell columns of prices from those of other words
 */
export function guessMapping(headers: string[], rows: SheetRow[] = []): Mapping {
  const keys = headers.map(headerKey);
  const mapping: Mapping = headers.map(() => null);
  const assign = (field: ProductField, fits: (key: string) => boolean) => {
    if (mapping.includes(field)) return;
    const column = keys.findIndex((key, i) => key !== "" && mapping[i] === null && fits(key));
    if (column !== -1) mapping[column] = field;
  };
  const price = certainPrice(priceColumns(headers, rows));
  if (price !== null) mapping[price] = "price";
  const others = FIELDS.filter((field) => field !== "price");
  for (const field of others) assign(field, (key) => key === field.toLowerCase());
  for (const field of others)
    for (const synonym of SYNONYMS[field].split(/\s+/)) assign(field, (key) => key === synonym);
  return mapping;
}

/**
 * Makes a mapping of known columns.
 *
 * @param count number of columns in the file
 * @param columns column of each field; -1 for none
 */
export function mappingFromColumns(count: number, columns: Record<ProductField, number>): Mapping {
  const mapping: Mapping = Array.from({ length: count }, () => null);
  for (const field of FIELDS) if (mapping[columns[field]] === null) mapping[columns[field]] = field;
  return mapping;
}

/** Finds a mapped header that appears twice in a file, where only one column can be read. */
export function duplicateHeader(headers: string[], mapping: Mapping): string | null {
  const keys = headers.map(headerKey);
  const column = mapping.findIndex((field, i) => field !== null && keys.indexOf(keys[i] ?? "", i + 1) !== -1);
  return headers[column] ?? null;
}
