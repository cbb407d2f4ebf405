import { type KeyboardEvent, useRef, useState } from "react";
import { EmailField } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import {
  applyCustomerEdit,
  type ChosenCustomer,
  CUSTOMER_FIELDS,
  type CustomerEdit,
  customerLabel,
  type FoundCustomer,
  MAX_FOUND_CUSTOMERS,
} from "./customer-edits";
import { EditButton } from "./LinesForm";
import { fillFields } from "./useKeptSale";
import { fieldProblem, type useLinesForm } from "./useLinesForm";

/** Asks the shop for customers. @returns none when it fails */
async function findCustomers(text: string): Promise<FoundCustomer[]> {
  const query = new URLSearchParams({ q: text.trim(), limit: String(MAX_FOUND_CUSTOMERS) });
  const answer = await fetch(`/api/customer?${query}`).catch(() => null);
  return answer?.ok ? ((await answer.json()) as FoundCustomer[]) : [];
}

type Form = Pick<ReturnType<typeof useLinesForm>, "answer" | "value">;

/** Holds the customer of a sale, and what a search for one has found. @param initial as the page proposes it */
export function useCustomerChoice({ answer, value }: Form, initial: ChosenCustomer) {
  const of = (fields: (name: keyof ChosenCustomer) => string) =>
    Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, fields(name)])) as ChosenCustomer;
  const [chosen, setChosen] = useState(() => of((name) => value(name, initial[name])));
  const [text, setText] = useState(() => value("findCustomer", ""));
  const [answered, setAnswered] = useState({ text, hits: answer?.page?.foundCustomers ?? [] });
  // Those of an earlier text are no longer meant.
  const found = answered.text === text ? answered.hits : [];
  const latest = useRef("");
  const search = (typed: string) => {
    setText(typed);
    latest.current = typed;
    if (typed.trim() === "") return;
    void findCustomers(typed).then((hits) => latest.current === typed && setAnswered({ text: typed, hits }));
  };
  const edit = (what: CustomerEdit) => {
    const hit = what.type === "pickCustomer" ? found.find(({ id }) => id === what.id) : undefined;
    const change = applyCustomerEdit(what, text, hit);
    if (!change) return;
    const { customerName, ...next } = change;
    setChosen(next);
    if (customerName !== undefined) fillFields({ customerName });
    search("");
  };
  const restore = (fields: Record<string, string>) => setChosen(of((name) => fields[name] ?? ""));
  return { chosen, text, found, search, edit, restore };
}

interface CustomerChoiceProps {
  form: Form;
  customer: ReturnType<typeof useCustomerChoice>;
}

/** Choice of the customer of a sale at the counter: nobody, one who is found, or a new one. */
export function CustomerChoice({ form, customer }: CustomerChoiceProps) {
  const { chosen, edit } = customer;
  const isChosen = chosen.customerId !== "" || chosen.newCustomer !== "";
  return (
    <div className="sale-wide sale-customer">
      {Object.entries(chosen).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {isChosen ? (
        <p className="sale-chosen">
          <Icon name="user-round" className="i s" />
          <span className="grow truncate">{chosen.customerLabel || "New customer"}</span>
          <EditButton
            edit={{ type: "noCustomer" }}
            onEdit={() => edit({ type: "noCustomer" })}
            className="tool-button"
            label="Sell without a customer"
          >
            <Icon name="x" className="i s" />
          </EditButton>
        </p>
      ) : (
        <CustomerSearch {...customer} />
      )}
      {chosen.newCustomer && (
        <EmailField
          id="sale-email"
          name="customerEmail"
          autoComplete="off"
          hint="Optional; the name is that on the receipt"
          defaultValue={form.value("customerEmail", "")}
          error={fieldProblem(form.answer, "customerEmail")}
        />
      )}
    </div>
  );
}

/** Field that finds a customer, with a button for each, and one that adds a customer. */
function CustomerSearch({ text, found, search, edit }: CustomerChoiceProps["customer"]) {
  const [only, second] = found;
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Enter" && only && !second) edit({ type: "pickCustomer", id: only.id });
    if (key === "Escape") search("");
  };
  return (
    <div className="field">
      <label htmlFor="sale-customer">
        Customer <span className="soft">if known</span>
      </label>
      <input
        id="sale-customer"
        className="input"
        name="findCustomer"
        placeholder="Name, email or phone"
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={({ target }) => search(target.value)}
        onKeyDown={onKeyDown}
      />
      <Customers {...{ text, found, edit }} />
    </div>
  );
}

/** Buttons of the customers who are found, and of one to be added. */
function Customers({ text, found, edit }: Pick<CustomerChoiceProps["customer"], "text" | "found" | "edit">) {
  return (
    <span className="sale-customers">
      {found.map((one) => (
        <EditButton
          key={one.id}
          edit={{ type: "pickCustomer", id: one.id }}
          onEdit={() => edit({ type: "pickCustomer", id: one.id })}
          className="btn small"
        >
          {customerLabel(one)}
        </EditButton>
      ))}
      <span className="without-script">
        <EditButton edit={{ type: "findCustomer" }} onEdit={() => undefined} className="btn">
          Find the customer
        </EditButton>
      </span>
      {text.trim() && (
        <EditButton
          edit={{ type: "addCustomer" }}
          onEdit={() => edit({ type: "addCustomer" })}
          className="btn small"
        >
          <Icon name="plus" className="i s" />
          {`Add “${text.trim()}” as a new customer`}
        </EditButton>
      )}
    </span>
  );
}
