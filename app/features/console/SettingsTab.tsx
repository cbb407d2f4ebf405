import type { ReactNode } from "react";
import { type ConsoleParams, consoleUrl } from "~/features/chat/console-params";
import { STAFF_SHOWN_AS, type StaffShownAs } from "~/features/chat/limits";
import type { Answerer, ChatSettings } from "~/features/chat/rooms";
import { formatReplyTime } from "~/features/chat/time";
import { NotificationSettings, type PushSettings } from "~/features/push/NotificationSettings";
import { Checkbox, Field, FieldNotes, SelectField, TextArea } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFormKey, useOpenedValues } from "~/ui/useCheckedForm";
import {
  ConflictNotice,
  FormDraft,
  fieldError,
  type RejectedForm,
  rejectionFor,
  typedValue,
} from "./form-state";

interface SettingsTabProps {
  params: ConsoleParams;
  settings: (ChatSettings & Answerer) | null;
  push: PushSettings | null;
  rejected: RejectedForm | undefined;
}

/** Form for the automatic messages and the online status. */
export function SettingsTab({ params, settings, push, rejected }: SettingsTabProps) {
  const rejection = rejectionFor(rejected, "settings");
  const key = useFormKey(rejection);
  return (
    <div className="settings">
      <h3>Chat Settings</h3>
      {settings === null ? (
        <p className="soft">Failed to fetch chat settings</p>
      ) : (
        <SettingsForm key={key} settings={settings} chat={params.chat} rejected={rejection} />
      )}
      {push && <NotificationSettings settings={push} chat={params.chat} />}
    </div>
  );
}

interface SettingsFormProps {
  settings: ChatSettings & Answerer;
  chat: string | null;
  rejected: RejectedForm | undefined;
}

/** Keeps the settings as they were opened, so that the server can detect an edit conflict. */
function SettingsForm(props: SettingsFormProps) {
  const { opened, key } = useOpenedValues(props.settings, props.rejected);
  return <SettingsFields key={key} {...props} settings={opened} />;
}

function SaveButton() {
  return (
    <SubmitButton intent="settings" busy="Saving..." className="btn primary">
      Save Settings
    </SubmitButton>
  );
}

/** Part of the settings with its explanation beside it. */
function SettingsSection({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className="settings-section">
      <div>
        <h4>{title}</h4>
        <p className="soft">{note}</p>
      </div>
      <div className="form-plain">{children}</div>
    </section>
  );
}

/** Values of the form that an edit conflict is detected by. */
const valuesOf = ({ answererPicture: _, replySeconds: __, ...values }: ChatSettings & Answerer) => values;

const replyTimeHint = ({ replySeconds }: Answerer) =>
  replySeconds === null
    ? "Your usual reply time appears beside it once a few chats have been answered."
    : `Shown beside it: usually replies in ${formatReplyTime(replySeconds)}`;

function AnswererSection({ settings, rejected }: Omit<SettingsFormProps, "chat">) {
  return (
    <SettingsSection title="Who answers" note="Shown at the head of the chat in the shop.">
      <AnswererPicture settings={settings} error={fieldError(rejected, "picture")} />
      <Field
        id="settings-answererName"
        name="answererName"
        label={LABELS.answererName}
        maxLength={60}
        defaultValue={typedValue(rejected, "answererName", settings.answererName)}
        error={fieldError(rejected, "answererName")}
        hint={replyTimeHint(settings)}
      />
      <SelectField
        id="settings-staffShownAs"
        name="staffShownAs"
        label={LABELS.staffShownAs}
        options={STAFF_SHOWN_AS.map((value) => ({ value, label: SHOWN_AS[value] }))}
        defaultValue={typedValue(rejected, "staffShownAs", settings.staffShownAs)}
        error={fieldError(rejected, "staffShownAs")}
      />
    </SettingsSection>
  );
}

interface AnswererPictureProps {
  settings: Answerer;
  error: string | undefined;
}

function AnswererPicture({ settings: { answererName, answererPicture }, error }: AnswererPictureProps) {
  return (
    <div className="answerer-picture">
      {answererPicture ? (
        <Picture image={answererPicture} alt="Picture of whoever answers" sizes="64px" width={64} />
      ) : (
        <span className="initial" aria-hidden="true">
          {answererName.slice(0, 1) || "?"}
        </span>
      )}
      <div className="field">
        <label htmlFor="settings-picture">Picture</label>
        <input
          id="settings-picture"
          type="file"
          name="picture"
          accept="image/jpeg,image/png,image/webp,image/gif"
          aria-describedby={error ? "settings-picture-error" : undefined}
        />
        <FieldNotes id="settings-picture" error={error} />
      </div>
      {answererPicture && (
        <Checkbox id="settings-removesPicture" name="removesPicture">
          Remove the picture
        </Checkbox>
      )}
    </div>
  );
}

const SHOWN_AS: Record<StaffShownAs, string> = {
  both: "First name and team: Maren, Support Team",
  name: "First name: Maren",
  team: "Support Team",
};

const LABELS = {
  welcomeMessage: "Welcome Message",
  offlineMessage: "Offline Message",
  answererName: "Name",
  staffShownAs: "Above your messages in the shop",
  isOnline: "Chat is Online",
  autoResponseEnabled: "Enable Auto Responses",
};

function SettingsFields({ settings, chat, rejected }: SettingsFormProps) {
  const text = (name: "welcomeMessage" | "offlineMessage") => ({
    id: `settings-${name}`,
    name,
    rows: 4,
    maxLength: 2000,
    defaultValue: typedValue(rejected, name, settings[name]),
    error: fieldError(rejected, name),
  });
  const checkbox = (name: "isOnline" | "autoResponseEnabled") => ({
    id: `settings-${name}`,
    name,
    defaultChecked: rejected?.lastResult?.initialValue ? typedValue(rejected, name) === "on" : settings[name],
    error: fieldError(rejected, name),
  });
  return (
    <Form method="post" encType="multipart/form-data" className="form-plain" preventScrollReset>
      {chat && <input type="hidden" name="chat" value={chat} />}
      <input type="hidden" name="was" value={JSON.stringify(valuesOf(settings))} />
      <ConflictNotice
        rejected={rejected}
        subject="these settings"
        labels={LABELS}
        theirs={consoleUrl({ tab: "settings", chat })}
      />
      <FormDraft name="chat-settings" />
      <AnswererSection settings={settings} rejected={rejected} />
      <SettingsSection title="Messages" note="Sent automatically. Leave one empty to send nothing.">
        <TextArea label={LABELS.welcomeMessage} {...text("welcomeMessage")} />
        <TextArea label={LABELS.offlineMessage} {...text("offlineMessage")} />
      </SettingsSection>
      <SettingsSection title="Availability" note="When off, visitors get the offline message.">
        <Checkbox {...checkbox("isOnline")}>{LABELS.isOnline}</Checkbox>
        <Checkbox {...checkbox("autoResponseEnabled")}>{LABELS.autoResponseEnabled}</Checkbox>
      </SettingsSection>
      <SaveButton />
    </Form>
  );
}
