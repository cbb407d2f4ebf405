import { describe, expect, it } from "vitest";
import { USER } from "~/features/accounts/users/user";
import { PRODUCT } from "~/features/catalogue/product";
import { RESPONSE, SETTINGS } from "~/features/chat/records";
import { EXPENSE } from "~/features/ledger/expense";
import { INVOICE } from "~/features/ledger/invoice";
import { CUSTOMER } from "~/features/sales/customer";
import type { RecordColumn } from "~/records/record";

const RECORDS = { PRODUCT, INVOICE, EXPENSE, CUSTOMER, USER, RESPONSE, SETTINGS };

/** Returns the length that a text's control allows; undefined for none, and for what is no text. */
const controlLength = ({ field: { control } }: RecordColumn) =>
  control.kind === "text" ? control.input.maxLength : undefined;

/** Returns whether the rule takes a text of that many letters. */
const takes = ({ field }: RecordColumn, letters: number) => field.rule.safeParse("a".repeat(letters)).success;

describe.each(Object.entries(RECORDS))("%s", (_, { columns }: { columns: readonly RecordColumn[] }) => {
  const limited = columns.flatMap((column) => {
    const length = controlLength(column);
    return length === undefined ? [] : [{ name: column.name, column, length }];
  });

  it.each(limited)("$name takes as many characters as its control, and no more", ({ column, length }) => {
    expect([takes(column, length), takes(column, length + 1)]).toEqual([true, false]);
  });
});

it("the forms of the chat limit every text that is typed into them", () => {
  const lengths = [RESPONSE, SETTINGS].flatMap(({ columns }) =>
    columns
      .filter(({ field }) => field.control.kind === "text")
      .map((column) => [column.name, controlLength(column)]),
  );
  expect(Object.fromEntries(lengths)).toEqual({
    trigger: 200,
    response: 2000,
    category: 60,
    welcomeMessage: 2000,
    offlineMessage: 2000,
    answererName: 60,
  });
});
