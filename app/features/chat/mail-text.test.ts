import { describe, expect, it } from "vitest";
import { htmlText, replyText } from "./mail-text";

const HIDDEN = '<div style="display:none">';

describe("htmlText", () => {
  it("keeps lines, decodes characters, and leaves out styles and comments", () => {
    const html = `<html><head><style>p > a { color: red }</style></head><body><!-- <p>no</p> -->
      <p>Hello&nbsp;&amp; <b>good day</b></p><div>Two<br>lines</div></body></html>`;
    expect(replyText(htmlText(html, true))).toBe("Hello & good day\n\nTwo\nlines");
  });

  it("decodes the characters that mail programs write, and leaves others as they are", () => {
    const html =
      "Sch&ouml;ne Gr&uuml;&szlig;e &#8211; &#x1F33C; &euro;5 &eacute;t&eacute; &frac12; &ndash; &unknown; &#x110000;";
    expect(htmlText(html, true)).toBe("Schöne Grüße – 🌼 €5 été ½ – &unknown; \ufffd");
  });

  it.each([
    ["Gmail", '<div dir="ltr">Yes</div><br><div class="gmail_quote"><div>On Mon wrote:</div>Old</div>'],
    ["Outlook", '<p>Yes</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: us</div>Old'],
    ["Apple Mail", '<div>Yes</div><blockquote type="cite"><div>On Mon wrote:</div>Old</blockquote>'],
    ["Yahoo", '<div>Yes</div><div class="yahoo_quoted">Old</div>'],
  ])("leaves out what %s quotes", (_, html) => {
    expect(replyText(htmlText(html, true))).toBe("Yes");
    expect(htmlText(html, false)).toContain("Old");
  });

  it("keeps what was written between quotes", () => {
    const html = "<blockquote>Size?</blockquote><p>Medium</p><blockquote>Colour?</blockquote><p>Red</p>";
    expect(replyText(htmlText(html, true))).toBe("Medium\n\nRed");
  });

  it.each([
    ["a picture", '<p>Hi</p><img style="display:none"><p>I take two</p>', "Hi\n\nI take two"],
    ["an element without an end tag", '<p>Hi</p><o:p style="display: none"><p>Two</p>', "Hi\n\nTwo"],
    ["one that has others of its name", '<div style="display:none">See<div>it</div>On', "See\nit\nOn"],
  ])("shows what follows the hidden tag of %s", (_, html, text) => {
    expect(replyText(htmlText(html, true))).toBe(text);
    expect(replyText(htmlText(html, false))).toBe(text);
  });

  it.each([
    ["elements of its name", '<div style="display:none">a<div>b</div>c</div>Yes'],
    ["elements whose names begin with it", '<p style="display:none">a<pre>b</pre>c</p>Yes'],
    ["a style with a tag", '<div style="display:none"><style>a { content: "</div>" }</style>b</div>Yes'],
  ])("leaves out a hidden element with %s", (_, html) => {
    expect(htmlText(html, true).trim()).toBe("Yes");
  });

  it("takes no longer for a deep nesting or for tags that never end", () => {
    const deep = `${"<div>".repeat(1_000_000)}Hello`;
    expect(htmlText(deep, true).trim()).toBe("");
    for (const part of ["<!--", "<style>", "<", "<blockquote>", "<div ", HIDDEN])
      expect(htmlText(part.repeat(1_000_000), true).trim().length, part).toBeLessThan(10);
    const named = (i: number) => HIDDEN.replace("div", `x${i}`);
    const ends = [`${HIDDEN.repeat(30_000)}${"</div>".repeat(30_000)}`, HIDDEN.repeat(30_000)];
    for (const hidden of [...ends, Array.from({ length: 30_000 }, (_, i) => named(i)).join("")])
      expect(htmlText(`${hidden}Yes`, true).trim()).toBe("Yes");
  });
});

describe("replyText", () => {
  it.each([
    [
      "a quoted mail",
      "Yes please\n\nOn Mon, 2 Nov 2026 at 10:00, Emporia <no-reply@shop.test> wrote:\n> Is it?\n> Yes",
    ],
    [
      "a header on two lines",
      "Yes please\n\nOn Mon, 2 Nov 2026 at 10:00, Emporia\n<no-reply@shop.test> wrote:\n\n> Is it?",
    ],
    [
      "Outlook's header",
      "Yes please\n\n-----Original Message-----\nFrom: Emporia <no-reply@shop.test>\nSent: Monday\n\nOld",
    ],
    ["a German header", "Yes please\n\nAm 02.11.2026 um 10:00 schrieb Emporia <no-reply@shop.test>:\n> Alt"],
    ["a signature", "Yes please\n\n-- \nInes Sommer\nBerlin"],
    ["a phone's line", "Yes please\n\nSent from my iPhone"],
    [
      "the shop's mail without marks",
      "Yes please\n\nHello Ines,\n\nhere is our answer:\n\n> It is oak.\n\nEmporia",
    ],
    ["text below the quote", "> Is it?\n> Which size?\n\nYes please"],
  ])("cuts %s", (_, text) => {
    expect(replyText(text)).toBe("Yes please");
    expect(replyText(text.replaceAll("\n", "\r\n"))).toBe("Yes please");
  });

  it("keeps a text without marks, also long lines", () => {
    const text = `Hello,\n\n${"long words ".repeat(100).trim()}\n\nIs it here?`;
    expect(replyText(text)).toBe(text);
  });

  it("ends, whatever is written", () => {
    const units = [
      "Op ",
      "Op schreef\n",
      "On a ",
      "2020from<",
      "\n",
      " \n",
      "From : <",
      "Am x um schrieb ",
      "在写道",
      "aaa. skrev ",
      "W dniu pisze\n",
      "> ",
      "On\n",
    ];
    for (const unit of units) expect(replyText(unit.repeat(100_000)).length, unit).toBeLessThan(4001);
  });
});
