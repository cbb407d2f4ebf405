import { Form } from "@remix-run/react";
import { Checkbox } from "~/ui/Checkbox";
import { SubmitButton } from "~/ui/SubmitButton";
import { TextArea } from "~/ui/TextArea";
import type { ChatSettings } from "../rooms";
import type { Place } from "./place";
import { type Refused, typed, wrong } from "./refused";

interface SettingsTabProps {
  place: Place;
  settings: ChatSettings | null;
  refused: Refused | undefined;
}

/** What the shop says by itself, and whether it is there (back office 2, Settings tab). */
export function SettingsTab({ place, settings, refused }: SettingsTabProps) {
  return (
    <div className="settings">
      <h3>Chat Settings</h3>
      {settings === null ? (
        <p className="soft">Failed to fetch chat settings</p>
      ) : (
        <SettingsForm settings={settings} chat={place.chat} refused={refused} />
      )}
    </div>
  );
}

interface SettingsFormProps {
  settings: ChatSettings;
  chat: string | null;
  refused: Refused | undefined;
}

function SettingsForm({ settings, chat, refused }: SettingsFormProps) {
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
  });
  return (
    <Form method="post" className="form-plain" preventScrollReset>
      {chat && <input type="hidden" name="chat" value={chat} />}
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
