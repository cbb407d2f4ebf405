import type { ReactNode } from "react";
import { type ConsoleParams, consoleUrl } from "~/features/chat/console-params";
import { SETTINGS } from "~/features/chat/records";
import type { Answerer, ChatSettings } from "~/features/chat/rooms";
import { formatReplyTime } from "~/features/chat/time";
import { NotificationSettings, type PushSettings } from "~/features/push/NotificationSettings";
import { ConflictNotice, FormDraft, fieldError, recordForm, refusedFor } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import { recordOf } from "~/records/record";
import { Checkbox, FieldNotes } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useFormKey, useOpenedValues } from "~/ui/useCheckedForm";
import { useIsSeller } from "~/ui/useIsSeller";

interface SettingsTabProps {
  params: ConsoleParams;
  settings: (ChatSettings & Answerer) | null;
  push: PushSettings | null;
  refused: RefusedForm | undefined;
}

/** Form for the automatic messages and the online status, and the notifications of a person, which sellers have alone. */
export function SettingsTab({ params, settings, push, refused }: SettingsTabProps) {
  const own = refusedFor(refused, "settings");
  const key = useFormKey(own);
  if (useIsSeller())
    return (
      <div className="settings">
        {push && <NotificationSettings settings={push} chat={params.chat} of="console" />}
      </div>
    );
  return (
    <div className="settings">
      <h3>Chat Settings</h3>
      {settings === null ? (
        <p className="soft">Failed to fetch chat settings</p>
      ) : (
        <SettingsForm key={key} settings={settings} chat={params.chat} refused={own} />
      )}
      {push && <NotificationSettings settings={push} chat={params.chat} of="console" />}
    </div>
  );
}

interface SettingsFormProps {
  settings: ChatSettings & Answerer;
  chat: string | null;
  refused: RefusedForm | undefined;
}

/** Keeps the settings as they were opened, so that the server can detect an edit conflict. */
function SettingsForm(props: SettingsFormProps) {
  const { opened, refused, key } = useOpenedValues(props.settings, props.refused);
  return <SettingsFields key={key} {...props} settings={opened} refused={refused} />;
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

const { answererName, staffShownAs, welcomeMessage, offlineMessage, isOnline, autoResponseEnabled } =
  SETTINGS.fields;
/** Fields of the form's sections. */
const ANSWERER = recordOf({ answererName, staffShownAs });
const MESSAGES = recordOf({ welcomeMessage, offlineMessage });
const AVAILABILITY = recordOf({ isOnline, autoResponseEnabled });

const replyTimeHint = ({ replySeconds }: Answerer) =>
  replySeconds === null
    ? "Your usual reply time appears beside it once a few chats have been answered."
    : `Shown beside it: usually replies in ${formatReplyTime(replySeconds)}`;

interface AnswererSectionProps extends Omit<SettingsFormProps, "chat"> {
  form: ReturnType<typeof recordForm>;
}

function AnswererSection({ settings, refused, form }: AnswererSectionProps) {
  return (
    <SettingsSection title="Who answers" note="Shown at the head of the chat in the shop.">
      <AnswererPicture settings={settings} error={fieldError(refused, "picture")} />
      <RecordFields record={ANSWERER} form={form} hints={{ answererName: replyTimeHint(settings) }} />
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
        <Picture image={answererPicture} alt="Picture of the person who answers" sizes="64px" width={64} />
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

function SettingsFields({ settings, chat, refused }: SettingsFormProps) {
  const form = recordForm("settings", SETTINGS.formValues(settings), refused);
  return (
    <Form method="post" encType="multipart/form-data" className="form-plain" preventScrollReset>
      {chat && <input type="hidden" name="chat" value={chat} />}
      <input type="hidden" name="was" value={JSON.stringify(SETTINGS.pick(settings))} />
      <ConflictNotice
        refused={refused}
        subject="these settings"
        record={SETTINGS}
        theirs={consoleUrl({ tab: "settings", chat })}
      />
      <FormDraft name="chat-settings" />
      <AnswererSection settings={settings} refused={refused} form={form} />
      <SettingsSection title="Messages" note="Sent automatically. Leave one empty to send nothing.">
        <RecordFields record={MESSAGES} form={form} />
      </SettingsSection>
      <SettingsSection title="Availability" note="When off, visitors get the offline message.">
        <RecordFields record={AVAILABILITY} form={form} />
      </SettingsSection>
      <SaveButton />
    </Form>
  );
}
