import { Form } from "@remix-run/react";
import { Checkbox, TextArea } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFormKey, useOpenedValues } from "~/ui/useCheckedForm";
import type { ChatSettings } from "../rooms";
import type { Place } from "./place";
import { type Refused, refusalOf, typed, wrong } from "./refused";

interface SettingsTabProps {
  place: Place;
  settings: ChatSettings | null;
  refused: Refused | undefined;
}

/** What the shop says by itself, and whether it is there (back office 2, Settings tab). */
export function SettingsTab({ place, settings, refused }: SettingsTabProps) {
  const refusal = refusalOf(refused, "settings");
  const key = useFormKey(refusal);
  return (
    <div className="settings">
      <h3>Chat Settings</h3>
      {settings === null ? (
        <p className="soft">Failed to fetch chat settings</p>
      ) : (
        <SettingsForm key={key} settings={settings} chat={place.chat} refused={refusal} />
      )}
    </div>
  );
}

interface SettingsFormProps {
  settings: ChatSettings;
  chat: string | null;
  refused: Refused | undefined;
}

/** Keeps what the settings were when the form was opened: they go along, so that of two people the second is told. */
function SettingsForm(props: SettingsFormProps) {
  const { opened, key } = useOpenedValues(props.settings, props.refused);
  return <SettingsFields key={key} {...props} settings={opened} />;
}

function SettingsFields({ settings, chat, refused }: SettingsFormProps) {
  const text = (name: "welcomeMessage" | "offlineMessage") => ({
    id: `settings-${name}`,
    name,
    rows: 4,
    maxLength: 2000,
    defaultValue: typed(refused, name, settings[name]),
    error: wrong(refused, name),
  });
  const ticked = (name: "isOnline" | "autoResponseEnabled") => ({
    id: `settings-${name}`,
    name,
    defaultChecked: refused?.lastResult?.initialValue ? typed(refused, name) === "on" : settings[name],
    error: wrong(refused, name),
  });
  return (
    <Form method="post" className="form-plain" preventScrollReset>
      {chat && <input type="hidden" name="chat" value={chat} />}
      <input type="hidden" name="was" value={JSON.stringify(settings)} />
      <TextArea label="Welcome Message" {...text("welcomeMessage")} />
      <TextArea label="Offline Message" {...text("offlineMessage")} />
      <Checkbox {...ticked("isOnline")}>Chat is Online</Checkbox>
      <Checkbox {...ticked("autoResponseEnabled")}>Enable Auto Responses</Checkbox>
      <SubmitButton intent="settings" busy="Saving..." className="btn primary">
        Save Settings
      </SubmitButton>
    </Form>
  );
}
