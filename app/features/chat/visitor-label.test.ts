import { expect, it } from "vitest";
import { visitorLabel, visitorNumber } from "./visitor-label";

it("numbers a visitor by the last letters and digits of the chat's id", () => {
  expect(visitorNumber("gbMFptZUsyk7bFclMdLnVuwV0pzIy_m-")).toBe("#ZIYM");
});

it("names a visitor, or says by number and time who has no name", () => {
  const visitor = { chatId: "demo-chat-02", name: "New customer", began: 1_790_000_000 };
  expect(visitorLabel(visitor, "UTC")).toMatch(/^New Customer #AT02, began /);
  expect(visitorLabel({ ...visitor, name: "Ines" }, "UTC")).toBe("Ines");
});
