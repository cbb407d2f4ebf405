import type { ReactNode } from "react";
import { type ConsoleParams, consoleUrl } from "~/features/chat/console-params";
import { SETTINGS } from "~/features/chat/records";
import type { Answerer, ChatSettings } from "~/features/chat/rooms";
import { NotificationSettings, type PushSettings } from "~/features/push/NotificationSettings";
import { ChatFields } from "~/features/settings/ChatFields";
import { ConflictNotice, FormDraft, OpenedValue, refusedFor } from "~/records/form-state";
import { Form } from "~/ui/navigation";
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

function SettingsFields({ settings, chat, refused }: SettingsFormProps) {
  return (
    <Form method="post" encType="multipart/form-data" className="form-plain" preventScrollReset>
      {chat && <input type="hidden" name="chat" value={chat} />}
      <OpenedValue value={JSON.stringify(SETTINGS.pick(settings))} refused={refused} />
      <ConflictNotice
        refused={refused}
        subject="these settings"
        record={SETTINGS}
        theirs={consoleUrl({ tab: "settings", chat })}
      />
      <FormDraft name="chat-settings" />
      <ChatFields settings={settings} refused={refused} Part={SettingsSection} />
      <SaveButton />
    </Form>
  );
}
