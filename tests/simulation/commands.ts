import type { Model } from "./model";
import { PRODUCTS } from "./runtime/fixture";

/** Numbers from which a command chooses. */
export type Choices = [number, number, number];

/** Command of a history. One that has nothing to act on does nothing. */
type Command = (model: Model, choices: Choices) => Promise<unknown>;

const product = (n: number) => PRODUCTS[n % PRODUCTS.length] ?? "lamp";

export const COMMANDS: Record<string, Command> = {
  async open(model, [who]) {
    const visitor = model.visitor(who);
    const key = model.newId("key").replace(/\D/g, "").padStart(32, "0");
    const json = { userName: visitor.name, initialMessage: `Hello from ${visitor.name}`, key };
    const answer = await model.send(
      model.begin("open", visitor, { method: "POST", path: "/api/chat/create", json }),
    );
    if (answer?.status === 201) visitor.chatIds.push((JSON.parse(answer.text) as { chatId: string }).chatId);
  },

  async send(model, [which, text]) {
    const chat = model.chat(which);
    if (!chat) return;
    const id = model.newId("message");
    const json = {
      id,
      chatId: chat.id,
      message: `Text ${text}`,
      isFromAdmin: false,
      senderName: chat.visitor.name,
    };
    await model.send(
      model.begin("message", chat.visitor, { method: "POST", path: "/api/chat/message", json }, id),
    );
  },

  async recordSale(model, [who, what, quantity]) {
    const id = model.newId("sale");
    const json = {
      id,
      paymentMode: ["CASH", "CARD", "EMT"][quantity % 3],
      lines: [{ productId: product(what), quantity: (quantity % 3) + 1, amount: "10.05" }],
    };
    await model.send(model.begin("sale", model.seller(who), { method: "POST", path: "/api/sale", json }, id));
  },
};
