import { type ReactNode, useEffect, useRef } from "react";
import { NotificationSettings } from "~/features/push/NotificationSettings";
import { WORDS_PATH } from "~/features/search-words/paths";
import { ConflictNotice, FormDraft, OpenedValue, refusedFor } from "~/records/form-state";
import { FormError } from "~/ui/Field";
import { focusInvalid, INVALID_FIELD } from "~/ui/invalid-field";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { type RefusedForm, useFormKey, useOpenedValues } from "~/ui/useCheckedForm";
import { ChatForm } from "./ChatForm";
import type { Unsaved } from "./forms.server";
import { SalesForm, ShopForm } from "./GroupForms";
import { GROUP_TITLES, groupUrl, SETTING_GROUPS, type SettingForm } from "./groups";
import { HomeForm } from "./HomeForm";
import { HoursForm } from "./HoursForm";
import type { SettingsPageData } from "./page.server";
import { TaxForms } from "./TaxForms";

/** Answer of a form: refused, or the unsaved form drawn again. */
export type SettingsReply = RefusedForm & { page?: unknown };

interface SettingsScreenProps {
  page: SettingsPageData;
  reply: SettingsReply | undefined;
}

/** Data of the form of a group. */
export interface GroupFormProps {
  page: SettingsPageData;
  /** Values that were sent and refused, or are drawn again before they are saved. */
  refused: RefusedForm | undefined;
  /** The form as it is drawn again before it is saved. */
  unsaved: Unsaved | null;
}

const FORMS: Record<SettingForm, (props: GroupFormProps) => ReactNode> = {
  shop: ShopForm,
  hours: HoursForm,
  home: HomeForm,
  sales: SalesForm,
  chat: ChatForm,
  notifications: Notifications,
};

/** Form of the reader's own notifications, which are no setting of the shop. */
function Notifications({ page: { push } }: GroupFormProps) {
  return (
    <div className="panel">
      <header className="settings-head">
        <h2>{GROUP_TITLES.notifications}</h2>
      </header>
      {push && <NotificationSettings settings={push} chat={null} of="settings" />}
    </div>
  );
}

/** Settings of the shop: one form per group, each with its own Save. */
export function SettingsScreen({ page, reply }: SettingsScreenProps) {
  const { group } = page;
  const key = useFormKey(reply);
  return (
    <div className="shop-settings">
      <StatusRegion message={reply?.failure ?? null} answer={reply} />
      <SettingsSwitch group={group} />
      <OpenedForm key={`${group}-${key}`} page={page} reply={reply} />
      {group === "sales" && <TaxForms page={page} answer={refusedFor(reply, "tax")} />}
    </div>
  );
}

/** Links to the groups of settings. @param group that the page shows, also one of another feature */
export const SettingsSwitch = ({ group }: { group: SettingForm | "search" }) => (
  <nav className="view-switch" aria-label="Groups of settings">
    {SETTING_GROUPS.map((one) => (
      <GroupLink key={one} group={one} shown={group} />
    ))}
    <GroupLink group="chat" shown={group} />
    <GroupLink group="notifications" shown={group} />
    <Link to={WORDS_PATH} aria-current={group === "search" ? "page" : undefined}>
      Search
    </Link>
  </nav>
);

function GroupLink({ group, shown }: { group: SettingForm; shown: SettingForm | "search" }) {
  return (
    <Link to={groupUrl(group)} aria-current={group === shown ? "page" : undefined}>
      {GROUP_TITLES[group]}
    </Link>
  );
}

/** Keeps the settings as they were opened, so that the server can detect an edit conflict. */
function OpenedForm({ page, reply }: SettingsScreenProps) {
  const { opened, refused: shown, key } = useOpenedValues(page, reply);
  const { group } = opened;
  const Form = FORMS[group];
  const unsaved = (shown?.page as Unsaved | undefined) ?? null;
  const typed =
    unsaved &&
    ({ lastResult: { initialValue: unsaved.values }, failure: null, files: unsaved.files } as RefusedForm);
  const refused = typed ?? refusedFor(shown, group);
  return <Form key={key} page={opened} {...{ refused, unsaved }} />;
}

interface GroupHeadProps extends Pick<GroupFormProps, "page" | "refused" | "unsaved"> {
  record?: Parameters<typeof ConflictNotice>[0]["record"];
  /** Values that the form shows, for the detection of conflicts. */
  was: object;
  children: ReactNode;
}

const NO_RECORD = { columns: [] };

const NOT_SAVED = "These changes are not saved yet.";
const UNSAVED: Record<SettingForm, string> = {
  shop: NOT_SAVED,
  hours: "These hours are not saved yet.",
  home: NOT_SAVED,
  sales: NOT_SAVED,
  chat: NOT_SAVED,
  notifications: NOT_SAVED,
};

/** Head of a group's form: its title, who saved it last, Save, and what was refused. */
export function GroupHead({ page, refused, unsaved, record = NO_RECORD, was, children }: GroupHeadProps) {
  const { group, saved, mayEdit } = page;
  const head = useRef<HTMLElement>(null);
  // It may be far below the message and Save.
  useEffect(() => {
    if (refused) focusInvalid(head.current?.closest("form")?.querySelector<HTMLElement>(INVALID_FIELD));
  }, [refused]);
  return (
    <>
      <header className="settings-head" ref={head}>
        <h2>{GROUP_TITLES[group]}</h2>
        <p className="soft">{saved ?? "Not changed yet"}</p>
        {mayEdit ? children : <p className="soft">Only an admin changes these.</p>}
      </header>
      {mayEdit && <input type="hidden" name="group" value={group} />}
      <OpenedValue value={unsaved?.was || JSON.stringify(was)} refused={refused} />
      {mayEdit && <FormDraft name={`settings-${group}`} isUnsaved={unsaved !== null} />}
      {refused?.status === 409 ? (
        <ConflictNotice refused={refused} subject="these settings" record={record} theirs={groupUrl(group)} />
      ) : (
        <FormError message={refused?.failure} />
      )}
      {unsaved && <p className="hint">{UNSAVED[group]}</p>}
    </>
  );
}

/** Part of a group's form with its explanation beside it. */
export function SettingsPart({
  title,
  note,
  children,
}: {
  title: string;
  note: string;
  children: ReactNode;
}) {
  return (
    <section className="settings-part">
      <div>
        <h3>{title}</h3>
        <p className="soft">{note}</p>
      </div>
      <div className="settings-fields">{children}</div>
    </section>
  );
}
