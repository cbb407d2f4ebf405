import { Form } from "@remix-run/react";
import { NotificationSettings, type PushSettings } from "~/features/push/NotificationSettings";
import { Checkbox, TextArea } from "~/ui/Field";
import { FormDraft } from "~/ui/FormDraft";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFormKey, useOpenedValues } from "~/ui/useCheckedForm";
import type { ChatSettings } from "../rooms";
import { ConflictNotice } from "./ConflictNotice";
import { type ConsoleParams, consoleUrl } from "./params";
import { fieldError, type RejectedForm, rejectionFor, typedValue } from "./rejected-form";

interface SettingsTabProps {
  params: ConsoleParams;
  settings: ChatSettings | null;
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
  settings: ChatSettings;
  chat: string | null;
  rejected: RejectedForm | undefined;
}

/** Keeps the settings as they were opened, so that the server can detect an edit conflict. */
function SettingsForm(props: SettingsFormProps) {
  const { opened, key } = useOpenedValues(props.settings, props.rejected);
  return <SettingsFields key={key} {...props} settings={opened} />;
}

const LABELS = {
  welcomeMessage: "Welcome Message",
  offlineMessage: "Offline Message",
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
    <Form method="post" className="form-plain" preventScrollReset>
      {chat && <input type="hidden" name="chat" value={chat} />}
      <input type="hidden" name="was" value={JSON.stringify(settings)} />
      <ConflictNotice
        rejected={rejected}
        subject="these settings"
        labels={LABELS}
        theirs={consoleUrl({ tab: "settings", chat })}
      />
      <FormDraft name="chat-settings" />
      <TextArea label={LABELS.welcomeMessage} {...text("welcomeMessage")} />
      <TextArea label={LABELS.offlineMessage} {...text("offlineMessage")} />
      <Checkbox {...checkbox("isOnline")}>{LABELS.isOnline}</Checkbox>
      <Checkbox {...checkbox("autoResponseEnabled")}>{LABELS.autoResponseEnabled}</Checkbox>
      <SubmitButton intent="settings" busy="Saving..." className="btn primary">
        Save Settings
      </SubmitButton>
    </Form>
  );
}
