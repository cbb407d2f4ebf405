import { recordForm, typedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import { recordOf } from "~/records/record";
import { Checkbox } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { SubmitButton } from "~/ui/SubmitButton";
import { SALES, SHOP } from "./groups";
import { PictureField } from "./PictureField";
import { PreviewPart, ReceiptPreview, ShopPreview, useTyped } from "./previews";
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
export function ShopForm({ page, refused, unsaved }: GroupFormProps) {
  const { values, mayEdit } = page;
  const shown = SHOP.formValues(values);
  const form = recordForm("shop", shown, refused);
  const { typed, watch } = useTyped(refused?.lastResult?.initialValue ?? shown);
  return (
    <Form method="post" encType="multipart/form-data" className="panel" preventScrollReset {...watch}>
      <fieldset disabled={!mayEdit}>
        <GroupHead page={page} {...{ refused, unsaved }} record={SHOP} was={SHOP.pick(values)}>
          <Save intent="shop" />
        </GroupHead>
        <SettingsPart title="Name and place" note="Head of the shop, receipts, mails.">
          <Logo logo={values.logo} refused={refused} />
          <RecordFields record={PLACE} form={form} />
        </SettingsPart>
        <SettingsPart title="Two businesses" note="Each has its own numbers and its own books.">
          <RecordFields record={BUSINESSES} form={form} />
        </SettingsPart>
        <SettingsPart title="How to reach us" note="Foot of the shop, the cart's message, mails.">
          <RecordFields record={REACH} form={form} />
        </SettingsPart>
        <PreviewPart
          of="the shop"
          note="Head and foot of the shop, beside a product, on receipts."
          mayEdit={mayEdit}
        >
          <ShopPreview typed={typed} page={page} />
        </PreviewPart>
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

function Logo({ logo, refused }: Pick<GroupFormProps, "refused"> & { logo: string }) {
  return (
    <div className="settings-logo">
      {logo && <Picture image={`minio:${logo}`} alt="The shop's logo" sizes="64px" width={64} />}
      <PictureField id="shop-logo" name="logo" label="Logo" className="field file-choice" refused={refused} />
      {logo && (
        <Checkbox
          id="shop-removesLogo"
          name="removesLogo"
          defaultChecked={typedValue(refused, "removesLogo") === "on"}
        >
          Remove the logo
        </Checkbox>
      )}
    </div>
  );
}

/** Promises, rounding and receipts. */
export function SalesForm({ page, refused, unsaved }: GroupFormProps) {
  const { values, mayEdit } = page;
  const shown = SALES.formValues(values);
  const form = recordForm("sales", shown, refused);
  const { typed, watch } = useTyped(refused?.lastResult?.initialValue ?? shown);
  const ends = unsaved?.ends ?? page.ends;
  const hints = {
    holdDays: `0: at the next closing time. Now: ${ends.hold}.`,
    quoteDays: `Now: until ${ends.quote}.`,
  };
  return (
    <Form method="post" className="panel" preventScrollReset {...watch}>
      <fieldset disabled={!mayEdit}>
        <GroupHead page={page} {...{ refused, unsaved }} record={SALES} was={SALES.pick(values)}>
          <Save intent="sales" />
        </GroupHead>
        <SettingsPart
          title="Promises and receipts"
          note="Proposed for each new hold and quote; a form may say otherwise."
        >
          <RecordFields record={SALES} form={form} hints={hints} />
        </SettingsPart>
        <PreviewPart of="a receipt" note="A small sale in cash, on 80 mm." mayEdit={mayEdit} isLive={false}>
          <ReceiptPreview typed={typed} page={page} />
        </PreviewPart>
      </fieldset>
    </Form>
  );
}
