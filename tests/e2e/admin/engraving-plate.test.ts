import { expect, test } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";
import { asStaff } from "../../support/staff";

interface Shown {
  id: string;
  hasEngraving: boolean;
  optionLabel?: string;
  imageUrls: string[];
  plates?: Record<string, Record<string, unknown>>;
}

const products = async () => (await (await fetchShop("/api/product/all?raw=1")).json()) as Shown[];

for (const [at, width] of [390, 1440].entries())
  test(`an engraving plate is drawn on the picture at ${width} px`, async ({ open }) => {
    const product = (await products()).filter(({ plates }) => plates)[at];
    const edit = `/admin/products-management?edit=${product?.id}`;
    const page = await asStaff(open, "manager", edit, { viewport: { width, height: 900 } });
    await page.getByLabel("Label of the choice").fill("Material");
    await page.getByRole("button", { name: "Engraving plate of image 1" }).click();
    const editor = page.locator(".plate-editor");
    const frame = editor.locator(".plate-frame");
    const picture = frame.locator("img");
    await expect
      .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    // Waits until it has its place.
    await frame.hover();
    const box = await frame.boundingBox();
    if (!box) throw new Error("The picture is not displayed");
    const point = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    await page.mouse.move(...point(0.02, 0.02));
    await page.mouse.down();
    await page.mouse.move(...point(0.5, 0.1), { steps: 4 });
    await page.mouse.up();
    await expect(page.getByRole("button", { name: "Plate: arrow keys move it" })).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    const number = (label: string) => editor.getByLabel(label, { exact: true }).inputValue().then(Number);
    await expect.poll(() => number("Left %")).toBeCloseTo(3, 0);
    await expect.poll(() => number("Width %")).toBeCloseTo(48, 0);
    await expect.poll(() => number("Height %")).toBeCloseTo(9, 0);
    const angle = editor.getByLabel("Angle °");
    await angle.fill("400");
    await editor.getByText("Angle of the engraving plate must be from -180 to 180 degrees").waitFor();
    await editor.getByLabel("Characters in each line").fill("9");
    for (const name of ["Done", "Update Product"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(angle).toBeFocused();
      await expect(angle).toHaveAttribute("aria-invalid", "true");
    }
    await angle.fill("5");
    await editor.getByLabel("Tone").selectOption("dark");
    await editor.getByLabel("Characters in each line").fill("12, 8");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Update Product" }).click();
    await page.getByText("Product updated successfully!").first().waitFor();
    const stored = (await products()).find(({ id }) => id === product?.id);
    expect(stored?.optionLabel).toBe("Material");
    expect(stored?.plates?.[stored.imageUrls[0] ?? ""]).toMatchObject({
      angle: 5,
      tone: "dark",
      lines: [12, 8],
    });
  });

test("an engraving plate is typed as numbers without JavaScript", async ({ open }) => {
  const product = (await products()).filter(({ plates }) => plates)[2];
  const edit = `/admin/products-management?edit=${product?.id}`;
  const page = await asStaff(open, "manager", edit, { javaScriptEnabled: false });
  await page.locator("details[open]").getByLabel("Left %").first().fill("12.5");
  await page.getByRole("button", { name: "Update Product" }).click();
  await page.getByText("Product updated successfully!").first().waitFor();
  const stored = (await products()).find(({ id }) => id === product?.id);
  expect(Object.values(stored?.plates ?? {}).map(({ x }) => x)).toContain(0.125);
});
