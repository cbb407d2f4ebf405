import { describe, expect, it } from "vitest";
import type { ChosenEncoding } from "../sheet";
import { readSheet } from "./read-sheet.server";

type CodePage = Exclude<ChosenEncoding, "utf-8">;

/** Writes a text in a code page. */
function encode(text: string, page: CodePage): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder(page);
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code]),
  );
  return Uint8Array.from(text, (letter) => {
    const code = codes.get(letter);
    if (code === undefined) throw new Error(`${page} has no ${letter}`);
    return code;
  });
}

/** Reads a file of names in a code page. */
async function readNames(names: string[], page: CodePage, lineEnd = "\n") {
  const lines = ["name,price,stock", ...names.map((name, row) => `"${name}",${11 + row},1`), ""];
  const { rows, reading } = await readSheet("a.csv", encode(lines.join(lineEnd), page));
  return { names: rows.map(({ cells }) => cells[0]), reading };
}

/** Names of small files, by the code page and the language that they are in. */
const FILES: [CodePage, string, string[][]][] = [
  [
    "windows-1252",
    "English",
    [
      ["Maker’s cup"],
      ["Dad’s mug", "Plain mug"],
      ["Men’s hat"],
      ["Children’s book"],
      ["It’s a boy"],
      ["We’re open sign", "Don’t panic towel"],
      ["d’Artagnan"],
      ["Levi’s® jean"],
      ["“Best” mug"],
      ["£5 mug’s"],
      ["Maker’s cup €5"],
      ["Café “Noir”", "Maker’s mug"],
      ["Kettle 100°C", "Scale ½ kg", "Tm™"],
      ["Mug – blue"],
      ["Résumé", "Café", "Maker’s cup"],
      ["Rock ’n’ roll poster", "O’Neill cap"],
      ["Hawai’i shirt", "Xi’an noodles"],
      ["Teachers’ diary", "Screw ¾ in", "Tile 5 m²"],
      ["€ gift card", "Piñata", "Jalapeño salt"],
      ["London–Paris print", "Gift card £20…"],
      ["Smith & Sons©", "Bag 3×4 cm"],
    ],
  ],
  [
    "windows-1252",
    "French",
    [
      ["Café crème", "Pièce unique"],
      ["Fenêtre", "Œuf dur", "Œuvre"],
      ["Cœur en bois", "Sac à dos"],
      ["l’été", "Thé vert"],
      ["Crêpière", "Pêche", "Chêne"],
      ["Boîte à thé", "Maïs", "Noël"],
      ["Coussin brodé", "Théière", "Crème brûlée"],
      ["Bûche de Noël", "Garçon", "Flûte"],
      ["À côté", "Être et paraître"],
      ["FENÊTRE", "CRÈME", "NOËL"],
      ["Où est la lumière", "Crème d’amande"],
      ["Mètre", "Règle", "Père"],
      ["Rêve", "Sœur"],
      ["Arrière-goût", "Chaîne"],
    ],
  ],
  [
    "windows-1252",
    "German",
    [
      ["Löffel", "Schüssel"],
      ["Tasse groß", "Äpfel", "Öl"],
      ["Türschild", "Käse"],
      ["Küchenmesser", "Übertopf"],
    ],
  ],
  [
    "windows-1252",
    "Spanish",
    [
      ["Niño", "Muñeca"],
      ["Camisón", "Jarrón"],
      ["¿Qué es?", "¡Olé!"],
      ["Lámpara", "Cojín", "Pingüino"],
      ["Nº 5", "Piña"],
    ],
  ],
  [
    "windows-1252",
    "Portuguese",
    [
      ["Pão", "Sabão"],
      ["Coração", "Botões"],
      ["Maçã", "Lã merino"],
      ["Português", "Bebê", "Três"],
      ["Chá de hortelã", "Colchão"],
      ["Ciência", "Você e eu"],
      ["Mãe", "Irmã", "Avô"],
    ],
  ],
  [
    "windows-1252",
    "Italian",
    [
      ["Caffè", "Perchè"],
      ["Tè verde", "Città"],
      ["Più", "Lunedì"],
      ["Però", "Tiramisù"],
      ["L’arte è vita", "Dell’olio"],
    ],
  ],
  [
    "windows-1252",
    "Swedish",
    [
      ["Kåsa", "Smörkniv"],
      ["Bänk", "Överkast"],
      ["Ljusstake blå", "Grön kopp"],
    ],
  ],
  [
    "windows-1252",
    "Danish and Norwegian",
    [
      ["Brødkniv", "Smør"],
      ["Rød kop", "Æbleskål"],
      ["Øl", "Håndklæde"],
      ["Grønn kopp", "Blåbær"],
      ["Lysestake i sølv", "Kjøkken"],
      ["Træ", "Øreringe"],
    ],
  ],
  [
    "windows-1252",
    "Dutch",
    [
      ["Café", "Tweeën"],
      ["Oma’s koekjes", "Categorieën"],
      ["Één vaas", "Ruïne"],
    ],
  ],
  [
    "windows-1250",
    "Polish",
    [
      ["Kubek z dębu", "Świeca sojowa"],
      ["Pierścionek"],
      ["Łyżka", "Miód"],
      ["Męska bluza", "Książka"],
      ["Święta", "Gwiazdka"],
      ["Różowa róża", "Kołdra"],
      ["Talerz głęboki", "Dzień dobry"],
    ],
  ],
  [
    "windows-1250",
    "Czech",
    [
      ["Svíčka", "Hrneček"],
      ["Hrnek", "Lžička"],
      ["Náušnice stříbrné", "Dřevo"],
      ["Růže", "Květináč"],
      ["Talíř", "Příbor"],
      ["Skříň", "Stůl"],
      ["Město", "Čaj"],
    ],
  ],
  [
    "windows-1250",
    "Slovak",
    [
      ["Sviečka", "Hrnček"],
      ["Posteľ", "Vankúš"],
      ["Náušnice", "Prsteň", "Ľan"],
      ["Stolička", "Vešiak"],
    ],
  ],
  [
    "windows-1250",
    "Slovene",
    [
      ["Skodelica za čaj", "Sveča"],
      ["Žlica", "Škatla"],
      ["Uhani", "Ogrlica rdeča"],
      ["Preproga", "Brisača"],
    ],
  ],
  [
    "windows-1250",
    "Croatian",
    [
      ["Svijeća", "Šalica"],
      ["Ogrlica od drva", "Čaša", "Anđeo"],
    ],
  ],
  [
    "windows-1250",
    "Hungarian",
    [
      ["Fülbevaló", "Gyűrű"],
      ["Bőr táska", "Esernyő"],
      ["Fésű", "Kettő"],
      ["Őszi dísz", "Fűszertartó"],
    ],
  ],
  [
    "windows-1250",
    "Romanian",
    [
      ["Cană", "Lumânare"],
      ["Brăţară", "Inel"],
      ["Faţă de masă", "Coş"],
      ["Geantă", "Rochie roşie"],
    ],
  ],
  [
    "windows-1251",
    "Russian",
    [
      ["Зк Кружка синяя", "Зк Ваза"],
      ["Чайник", "Ложка"],
      ["Кольцо с камнем", "Серьги"],
      ["USB-кабель", "Чехол для iPhone"],
      ["Ёлка", "Плед «Уют»"],
    ],
  ],
  [
    "windows-1251",
    "Ukrainian",
    [
      ["Чашка", "Їжак"],
      ["Свічка", "Обручка"],
      ["Є в наявності", "Ґудзик"],
    ],
  ],
  [
    "windows-1251",
    "Bulgarian",
    [
      ["Чаша", "Свещ"],
      ["Пръстен", "Гривна"],
    ],
  ],
  [
    "macintosh",
    "English",
    [["Maker’s cup"], ["“Best” mug"], ["Café", "Résumé"], ["Mug – blue", "Dad’s mug"], ["Crème brûlée dish"]],
  ],
  [
    "macintosh",
    "French",
    [
      ["l’été"],
      ["l’à-côté", "d’être"],
      ["Café crème", "Pièce unique"],
      ["Fenêtre", "Boîte à thé"],
      ["Noël", "Maïs", "Garçon"],
      ["Hôtel", "Théière"],
      ["émail"],
      ["Cœur", "Goût"],
    ],
  ],
  [
    "macintosh",
    "German",
    [
      ["Schüssel", "Löffel"],
      ["Tasse groß", "Äpfel"],
      ["Brötchen", "Türschild"],
      ["Möbel", "Straße"],
      ["geöffnet"],
      ["übergroß"],
    ],
  ],
  [
    "macintosh",
    "Spanish",
    [
      ["Niño", "Muñeca"],
      ["Camisón", "Jarrón"],
      ["Sandía", "Sofá"],
      ["Lámpara", "Cojín"],
    ],
  ],
];

describe("the code page of a small file", () => {
  const each = FILES.flatMap(([page, language, files]) =>
    files.map((names) => [page, language, names] as const),
  );
  it.each(each)("%s, %s: %j", async (page, _, names) => {
    const { names: read, reading } = await readNames(names, page);
    expect(read).toEqual(names);
    if (page === "windows-1252") expect(reading.rivals).toEqual([]);
  });

  it("is uncertain where another one reads its texts nearly as well", async () => {
    const certain = (await readNames(["Książka", "Pierścionek"], "windows-1250")).reading;
    expect(certain).toMatchObject({ encoding: "windows-1250", rivals: [] });
    const { reading } = await readNames(["Plain hat", "Pierścionek"], "windows-1250");
    expect(reading).toMatchObject({
      samples: ["Pierścionek"],
      rivals: [{ encoding: "macintosh", samples: ["Pierúcionek"] }],
    });
    const mac = (await readNames(["Cœur", "Goût"], "macintosh")).reading;
    expect(mac).toMatchObject({ encoding: "macintosh", rivals: [] });
  });

  it("is guessed and shown where its bytes say no more", async () => {
    const { reading } = await readNames(["Maker’s cup"], "windows-1252");
    expect(reading).toMatchObject({
      encoding: "windows-1252",
      isGuessed: true,
      samples: ["Maker’s cup"],
    });
    const mac = (await readNames(["l’été"], "macintosh")).reading;
    expect(mac).toMatchObject({ encoding: "macintosh", isGuessed: true, samples: ["l’été"] });
  });

  it("may be Mac Roman with its line ends", async () => {
    for (const name of ["Maker’s cup", "Año", "Bœuf"])
      expect((await readNames([name], "macintosh", "\r")).names).toEqual([name]);
  });
});
