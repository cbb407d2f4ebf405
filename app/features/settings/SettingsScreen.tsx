import type { ReactNode } from "react";
import { consoleUrl } from "~/features/chat/console-params";
import { NotificationSettings } from "~/features/push/NotificationSettings";
import { WORDS_PATH } from "~/features/search-words/paths";
import { ConflictNotice, FormDraft, refusedFor } from "~/records/form-state";
import { FormError } from "~/ui/Field";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { type RefusedForm, useFormKey, useOpenedValues } from "~/ui/useCheckedForm";
import { ChatForm } from "./ChatForm";
import { HomeForm, SalesForm, ShopForm } from "./GroupForms";
import { GROUP_TITLES, groupUrl, SETTING_GROUPS, type SettingForm } from "./groups";
import { HoursForm } from "./HoursForm";
import type { SettingsPageData, UnsavedHours } from "./page.server";

/** Answer of a form: refused, or the unsaved hours drawn again. */
export type SettingsReply = RefusedForm & { page?: unknown };

interface SettingsScreenProps {
  page: SettingsPageData;
  reply: SettingsReply | undefined;
}

/** Data of the form of a group. */
export interface GroupFormProps {
  page: SettingsPageData;
  refused: RefusedForm | undefined;
  /** Hours that are not saved. */
  unsaved: UnsavedHours | null;
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
    </div>
  );
}

/** Links to the groups of settings. @param group that the page shows, also one of another feature */
export const SettingsSwitch = ({ group }: { group: SettingForm | "search" }) => (
  <nav className="view-switch" aria-label="Groups of settings">
    {SETTING_GROUPS.map((one) => (
      <GroupLink key={one} group={one} shown={group} />
    ))}
    <Link to={WORDS_PATH} aria-current={group === "search" ? "page" : undefined}>
      Search
    </Link>
    <GroupLink group="chat" shown={group} />
    <Link to={consoleUrl({ tab: "responses" })}>Responses</Link>
    <GroupLink group="notifications" shown={group} />
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
  const unsaved = (shown?.page as UnsavedHours | undefined) ?? null;
  return <Form key={key} page={opened} refused={refusedFor(shown, group)} unsaved={unsaved} />;
}

interface GroupHeadProps {
  page: SettingsPageData;
  refused: RefusedForm | undefined;
  record?: Parameters<typeof ConflictNotice>[0]["record"];
  /** Values that the form shows, for the detection of conflicts. */
  was: object;
  children: ReactNode;
}

const NO_RECORD = { columns: [] };

/** Head of a group's form: its title, who saved it last, Save, and what was refused. */
export function GroupHead({ page, refused, record = NO_RECORD, was, children }: GroupHeadProps) {
  const { group, saved, mayEdit } = page;
  return (
    <>
      <header className="settings-head">
        <h2>{GROUP_TITLES[group]}</h2>
        <p className="soft">{saved ?? "Not changed yet"}</p>
        {mayEdit ? children : <p className="soft">Only an admin changes these.</p>}
      </header>
      <input type="hidden" name="was" value={JSON.stringify(was)} />
      {mayEdit && <FormDraft name={`settings-${group}`} />}
      {refused?.status === 409 ? (
        <ConflictNotice refused={refused} subject="these settings" record={record} theirs={groupUrl(group)} />
      ) : (
        <FormError message={refused?.failure} />
      )}
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
