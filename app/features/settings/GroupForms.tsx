import { fieldError, recordForm, typedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import { recordOf } from "~/records/record";
import { Checkbox, Field } from "~/ui/Field";
import { Form, Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { SubmitButton } from "~/ui/SubmitButton";
import { FEATURED_FIELDS, HOME, SALES, SHOP } from "./groups";
import { PictureField } from "./PictureField";
import { type GroupFormProps, GroupHead, SettingsPart } from "./SettingsScreen";

const { name, address, mapUrl, pickup, goodsName, engravingName, requiresFactor, ...reach } = SHOP.fields;
/** Fields of the parts of the shop's form. */
const PLACE = recordOf({ name, address, mapUrl, pickup });
const BUSINESSES = recordOf({ goodsName, engravingName });
const REACH = recordOf(reach);
const SIGN_IN = recordOf({ requiresFactor });

function Save({ intent }: { intent: string }) {
  return (
    <SubmitButton intent={intent} busy="Saving..." className="btn primary">
      Save
    </SubmitButton>
  );
}

/** Name, place and addresses of the shop. */
export function ShopForm({ page, refused }: GroupFormProps) {
  const { values, mayEdit } = page;
  const form = recordForm("shop", SHOP.formValues(values), refused);
  return (
    <Form method="post" encType="multipart/form-data" className="panel" preventScrollReset>
      <fieldset disabled={!mayEdit}>
        <GroupHead page={page} refused={refused} record={SHOP} was={SHOP.pick(values)}>
          <Save intent="shop" />
        </GroupHead>
        <SettingsPart title="Name and place" note="Head of the shop, receipts, mails.">
          <Logo logo={values.logo} error={fieldError(refused, "logo")} />
          <RecordFields record={PLACE} form={form} />
        </SettingsPart>
        <SettingsPart title="Two businesses" note="Each has its own numbers and its own books.">
          <RecordFields record={BUSINESSES} form={form} />
        </SettingsPart>
        <SettingsPart title="How to reach us" note="Foot of the shop, the cart's message, mails.">
          <RecordFields record={REACH} form={form} />
        </SettingsPart>
        <SettingsPart
          title="Signing in"
          note="Whoever has no second factor yet is led to My Account, and can work once it is set up."
        >
          <RecordFields record={SIGN_IN} form={form} />
        </SettingsPart>
      </fieldset>
    </Form>
  );
}

function Logo({ logo, error }: { logo: string; error: string | undefined }) {
  return (
    <div className="settings-logo">
      {logo && <Picture image={`minio:${logo}`} alt="The shop's logo" sizes="64px" width={64} />}
      <PictureField id="shop-logo" name="logo" label="Logo" className="field file-choice" error={error} />
      {logo && (
        <Checkbox id="shop-removesLogo" name="removesLogo">
          Remove the logo
        </Checkbox>
      )}
    </div>
  );
}

/** Texts and products of the home page. */
export function HomeForm({ page, refused }: GroupFormProps) {
  const { values, mayEdit } = page;
  const form = recordForm("home", HOME.formValues(values), refused);
  const { heroProduct, featured } = values;
  return (
    <Form method="post" className="panel" preventScrollReset>
      <fieldset disabled={!mayEdit}>
        <GroupHead
          page={page}
          refused={refused}
          record={HOME}
          was={{ ...HOME.pick(values), heroProduct, featured }}
        >
          <Save intent="home" />
        </GroupHead>
        <SettingsPart title="Hero" note="The first thing that a shopper reads.">
          <RecordFields record={HOME} form={form} />
          <ProductField page={page} refused={refused} name="heroProduct" label="Product" id={heroProduct} />
        </SettingsPart>
        <SettingsPart
          title="Featured"
          note="Products below the hero, in this order. All empty: the shop chooses by itself."
        >
          {FEATURED_FIELDS.map((field, i) => (
            <ProductField
              key={field}
              page={page}
              refused={refused}
              name={field}
              label={`Product ${i + 1}`}
              id={featured[i] ?? ""}
              error={fieldError(refused, `featured.${i}`)}
            />
          ))}
        </SettingsPart>
      </fieldset>
    </Form>
  );
}

interface ProductFieldProps extends Pick<GroupFormProps, "page" | "refused"> {
  name: string;
  label: string;
  /** Stored product; "" for none. */
  id: string;
  error?: string | undefined;
}

function ProductField({ page: { names }, refused, name: field, label, id, error }: ProductFieldProps) {
  return (
    <Field
      id={`home-${field}`}
      name={field}
      label={label}
      defaultValue={typedValue(refused, field, id)}
      error={error ?? fieldError(refused, field)}
      hint={id ? (names[id] ?? "No longer in the shop") : "The address of its page, or its id"}
      autoComplete="off"
    />
  );
}

/** Tax, ends of holds and quotes, and the text under receipts. */
export function SalesForm({ page, refused }: GroupFormProps) {
  const { values, mayEdit, ends } = page;
  const form = recordForm("sales", SALES.formValues(values), refused);
  const hints = {
    holdDays: `0: at the next closing time. Now: ${ends.hold}.`,
    quoteDays: `Now: until ${ends.quote}.`,
  };
  return (
    <Form method="post" className="panel" preventScrollReset>
      <fieldset disabled={!mayEdit}>
        <GroupHead page={page} refused={refused} record={SALES} was={SALES.pick(values)}>
          <Save intent="sales" />
        </GroupHead>
        <SettingsPart
          title="Promises and receipts"
          note="Proposed for each new hold and quote; a form may say otherwise."
        >
          <RecordFields record={SALES} form={form} hints={hints} />
        </SettingsPart>
        <SettingsPart title="Tax" note="Per business, with its registration number.">
          <p>
            Tax is set beside its sums, under{" "}
            <Link className="link" to="/admin/bookkeeping">
              Bookkeeping
            </Link>
            .
          </p>
        </SettingsPart>
      </fieldset>
    </Form>
  );
}
