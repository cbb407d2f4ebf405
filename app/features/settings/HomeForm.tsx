import type { FormEvent, ReactNode } from "react";
import { dollars } from "~/domain/money";
import { fieldError, isAct, recordForm, typedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import { FieldNotes } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { FEATURED_FIELDS, HOME, MAX_FEATURED } from "./groups";
import { type ChosenProduct, type FoundProducts, type HomeDraft, readHomeDraft } from "./home-draft";
import { Act, HomePreview, PreviewPart, searchOnEnter, useTyped } from "./previews";
import { type GroupFormProps, GroupHead, SettingsPart } from "./SettingsScreen";

/** Returns what a refused form holds; where somebody else changed the products alone, theirs. */
function refusedDraft(refused: RefusedForm | undefined, values: HomeDraft): HomeDraft | null {
  const sent = refused?.lastResult?.initialValue;
  if (!sent) return null;
  const draft = readHomeDraft(sent);
  return typeof sent.featured === "string" ? { ...draft, featured: values.featured } : draft;
}

/** Empties the search of a form that a script saves: without one, Save with text in it means Enter there. */
function saveWithoutSearch({ currentTarget, nativeEvent }: FormEvent<HTMLFormElement>): void {
  const search = currentTarget.querySelector<HTMLInputElement>('input[name="find"]');
  if (search && !isAct((nativeEvent as SubmitEvent).submitter)) search.value = "";
}

/** Names of what a conflict may be about. */
const SHOWN = {
  columns: [
    ...HOME.columns,
    { name: "heroProduct", field: { label: "Product of the hero" } },
    { name: "featured", field: { label: "Featured products" } },
  ],
};

/** Texts and products of the home page. */
export function HomeForm({ page, refused, unsaved }: GroupFormProps) {
  const { values, mayEdit, usual } = page;
  const redrawn = unsaved?.home;
  const draft = redrawn?.draft ?? refusedDraft(refused, values) ?? values;
  const { chosen, automatic } = redrawn?.products ?? page.products;
  const { headline, introduction, heroProduct, featured } = draft;
  const texts = HOME.formValues({ headline, introduction });
  const { typed, watch } = useTyped(texts);
  const named = (id: string, field: string) =>
    chosen.find((one) => one.id === id) ?? unnamed(id, typedValue(refused, `${field}-name`));
  const below = featured.map((id, i) => named(id, FEATURED_FIELDS[i] ?? ""));
  const was = { ...HOME.pick(values), heroProduct: values.heroProduct, featured: values.featured };
  const hero = heroProduct ? named(heroProduct, "heroProduct") : null;
  return (
    <Form method="post" className="panel" preventScrollReset {...watch} onSubmit={saveWithoutSearch}>
      <fieldset disabled={!mayEdit}>
        <GroupHead page={page} {...{ refused, unsaved, was }} record={SHOWN}>
          <SubmitButton intent="home" busy="Saving..." className="btn primary">
            Save
          </SubmitButton>
        </GroupHead>
        <SettingsPart
          title="Hero"
          note="The first thing that a shopper reads. While its product is sold out or hidden, another takes its place."
        >
          <RecordFields record={HOME} form={recordForm("home", texts, refused)} />
          <HeroProduct product={hero} mayEdit={mayEdit} error={fieldError(refused, "heroProduct")} />
        </SettingsPart>
        <Featured products={below} mayEdit={mayEdit} refused={refused} />
        {mayEdit && <Choose found={redrawn?.found ?? null} draft={draft} />}
        <PreviewPart of="the home page" note="The home page, made small." mayEdit={mayEdit}>
          <HomePreview {...{ typed, usual, hero }} featured={below.length > 0 ? below : automatic} />
        </PreviewPart>
      </fieldset>
    </Form>
  );
}

/** Product that the shop does not show (any more). @param name that the form had for it */
const unnamed = (id: string, name: string): ChosenProduct => ({
  ...{ id, image: null, priceCents: 0 },
  name: name || "No longer in the shop",
});

interface HeroProductProps {
  product: ChosenProduct | null;
  mayEdit: boolean;
  error: string | undefined;
}

function HeroProduct({ product, mayEdit, error }: HeroProductProps) {
  return (
    <div className="chosen-product">
      <b>Product</b>
      {product ? (
        <ul className="chosen-products">
          <ProductRow product={product} field="heroProduct">
            {mayEdit && <Act act="noHero" label="Take out" of={`${product.name}, from the hero`} />}
          </ProductRow>
        </ul>
      ) : (
        <p className="soft">The shop chooses by itself. Find a product below to show it instead.</p>
      )}
      <FieldNotes id="home-heroProduct" error={error} />
    </div>
  );
}

interface FeaturedProps {
  products: ChosenProduct[];
  mayEdit: boolean;
  refused: RefusedForm | undefined;
}

function Featured({ products, mayEdit, refused }: FeaturedProps) {
  return (
    <SettingsPart title="Featured" note={`Below the hero, in this order, at most ${MAX_FEATURED}.`}>
      {products.length === 0 && (
        <p className="soft">
          The shop chooses by itself, other products each time. Find one below to choose.
        </p>
      )}
      <ul className="chosen-products">
        {products.map((product, i) => (
          <ProductRow key={product.id} product={product} field={FEATURED_FIELDS[i] ?? ""}>
            {mayEdit && i > 0 && <Act act={`up ${product.id}`} label="One up" of={product.name} />}
            {mayEdit && <Act act={`remove ${product.id}`} label="Remove" of={product.name} />}
            <FieldNotes id={`home-featured-${i}`} error={fieldError(refused, `featured.${i}`)} />
          </ProductRow>
        ))}
      </ul>
      <FieldNotes id="home-featured" error={fieldError(refused, "featured")} />
    </SettingsPart>
  );
}

interface ProductRowProps {
  product: ChosenProduct;
  /** Field that sends the product's id; none for one that is offered. */
  field?: string;
  children: ReactNode;
}

function ProductRow({ product: { id, name, image, priceCents }, field, children }: ProductRowProps) {
  return (
    <li>
      {field && <input type="hidden" name={field} value={id} />}
      {field && <input type="hidden" name={`${field}-name`} value={name} />}
      <Picture image={image} alt="" sizes="36px" width={36} />
      <span className="grow">{name}</span>
      {priceCents > 0 && <span className="num">{dollars(priceCents)}</span>}
      <span className="chosen-acts">{children}</span>
    </li>
  );
}

/** Search for products, with what it has found. */
function Choose({ found, draft }: { found: FoundProducts | null; draft: HomeDraft }) {
  const isFull = draft.featured.length >= MAX_FEATURED;
  return (
    <SettingsPart title="Find a product" note="By its name, to put it into the hero or below it.">
      <div className="find-product">
        <input
          className="input"
          type="search"
          name="find"
          aria-label="Name of a product"
          placeholder="Name of a product"
          maxLength={60}
          autoComplete="off"
          onKeyDown={searchOnEnter}
        />
        <Act act="find" label="Search" of="products" className="btn" />
      </div>
      {found && (
        <div role="status">
          <p className="soft">
            {found.products.length === 0 ? `No product matches “${found.text}”.` : `For “${found.text}”:`}
          </p>
        </div>
      )}
      <ul className="chosen-products">
        {found?.products.map((product) => (
          <ProductRow key={product.id} product={product}>
            {product.id !== draft.heroProduct && (
              <Act act={`hero ${product.id}`} label="Into the hero" of={product.name} />
            )}
            {!draft.featured.includes(product.id) && !isFull && (
              <Act act={`add ${product.id}`} label="Add below" of={product.name} />
            )}
          </ProductRow>
        ))}
      </ul>
    </SettingsPart>
  );
}
