import { headerKey } from "../sheet";

/** Headers of a WooCommerce export in other languages, after the English one that they stand for. */
const TRANSLATIONS: Record<string, string[]> = {
  Type: ["Typ", "Tipo"],
  SKU: ["Artikelnummer", "UGS", "COD", "Artikelcode"],
  Name: ["Nom", "Nombre", "Nome", "Naam"],
  Published: ["Veröffentlicht", "Publié", "Publicado", "Pubblicato", "Gepubliceerd"],
  "Short description": [
    "Kurzbeschreibung",
    "Description courte",
    "Descripción corta",
    "Breve descrizione",
    "Korte beschrijving",
  ],
  Description: ["Beschreibung", "Descripción", "Descrizione", "Beschrijving"],
  "Date sale price starts": [
    "Datum, an dem Angebotspreis beginnt",
    "Date de début de promo",
    "Día en que empieza el precio rebajado",
    "Data di inizio del prezzo in offerta",
    "Startdatum actieprijs",
  ],
  "Date sale price ends": [
    "Datum, an dem Angebotspreis endet",
    "Date de fin de promo",
    "Día en que termina el precio rebajado",
    "Data di fine del prezzo in offerta",
    "Einddatum actieprijs",
  ],
  "In stock?": ["Vorrätig?", "En stock ?", "¿Existencias?", "In stock?", "Op voorraad?"],
  Stock: ["Lager", "Lagerbestand", "Inventario", "Magazzino", "Voorraad"],
  "Sale price": ["Angebotspreis", "Tarif promo", "Precio rebajado", "Prezzo in offerta", "Actieprijs"],
  "Regular price": [
    "Regulärer Preis",
    "Tarif régulier",
    "Precio normal",
    "Prezzo di listino",
    "Reguliere prijs",
  ],
  Categories: ["Kategorien", "Catégories", "Categorías", "Categorie", "Categorieën"],
  Tags: ["Schlagwörter", "Étiquettes", "Etiquetas", "Tag"],
  Images: ["Bilder", "Images", "Imágenes", "Immagini", "Afbeeldingen"],
  "GTIN, UPC, EAN, or ISBN": [
    "GTIN, UPC, EAN oder ISBN",
    "GTIN, UPC, EAN ou ISBN",
    "GTIN, UPC, EAN o ISBN",
    "GTIN, UPC, EAN of ISBN",
  ],
  Parent: ["Übergeordnetes Produkt", "Parent", "Superior", "Genitore", "Hoofd"],
};

const ENGLISH = new Map(
  Object.entries(TRANSLATIONS).flatMap(([english, others]) =>
    others.map((other) => [headerKey(other), english] as const),
  ),
);
/** Name and values of an attribute: `Attribut 1 Name`, `Nombre del atributo 1`, `Valor(es) del atributo 1`. */
const ATTRIBUTE = /\b(?:attribute?|atributo|attributo|attribuut|attribut)\b/i;
const VALUES = /wert|valeur|valor|valori|waarde/i;
const ATTRIBUTE_NAME = /^(?:attribut|attribuut) \d+ (?:name|nom|naam)|^(?:nombre|nom|nome|naam)\b/i;

/** Writes the headers of a WooCommerce export in English; others stay. */
export function englishHeaders(headers: string[]): string[] {
  return headers.map((header) => ENGLISH.get(headerKey(header)) ?? attributeHeader(header) ?? header);
}

function attributeHeader(header: string): string | null {
  const number = /\d+/.exec(header)?.[0];
  if (!number || !ATTRIBUTE.test(header)) return null;
  if (VALUES.test(header)) return `Attribute ${number} value(s)`;
  return ATTRIBUTE_NAME.test(header) ? `Attribute ${number} name` : null;
}
