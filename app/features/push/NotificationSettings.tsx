import { useEffect, useState } from "react";
import { Checkbox } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { browserSubscription, isOfKey, isPushDenied, isPushSupported, turnOff, turnOn } from "./browser";
import { NEWS, type News, type Preferences, SWITCHES_FIELD, switchName, type Way } from "./schema";

/** Notification settings of a member of staff. */
export interface PushSettings {
  /** VAPID key that browsers subscribe with. */
  publicKey: string;
  preferences: Preferences;
  /** News that the caller may be told. */
  news: News[];
  /** True when the caller's session has subscribed. */
  isSubscribed: boolean;
}

interface NotificationSettingsProps {
  settings: PushSettings;
  /** Chat that stays open. */
  chat: string | null;
  /** Page whose part it is. */
  of: "console" | "settings";
}

/** Notifications of visitors' messages: the switch of this device, and the reader's own setting for all devices. */
export function NotificationSettings({ settings, chat, of }: NotificationSettingsProps) {
  const Heading = of === "console" ? "h4" : "h3";
  const { publicKey, preferences, news } = settings;
  const shown = ["hasPreview", ...news.flatMap((one) => WAYS.map(([way]) => switchName(one, way)))];
  return (
    <section
      className={of === "console" ? "settings-section" : "settings-part"}
      aria-labelledby="notifications-t"
    >
      <div>
        <Heading id="notifications-t">What you are told</Heading>
        <p className="soft">For you alone. Notifications appear on the devices on which you turn them on.</p>
      </div>
      <div className="form-plain">
        <DeviceSwitch publicKey={publicKey} isSubscribed={settings.isSubscribed} />
        <Form method="post" className="form-plain" preventScrollReset>
          {chat && <input type="hidden" name="chat" value={chat} />}
          <input type="hidden" name={SWITCHES_FIELD} value={shown.join(",")} />
          {news.map((one) => (
            <NewsSwitches key={one} news={one} preferences={preferences} />
          ))}
          <Checkbox id="notifications-preview" name="hasPreview" defaultChecked={preferences.hasPreview}>
            Show names and messages in my notifications
          </Checkbox>
          <SubmitButton intent="notifications" busy="Saving..." className="btn">
            Save Notifications
          </SubmitButton>
        </Form>
      </div>
    </section>
  );
}

const WAYS: [way: Way, label: string][] = [
  ["Push", "Notification"],
  ["Mail", "Mail"],
];

/** Switches of a kind of news, one for each way. */
function NewsSwitches({ news, preferences }: { news: News; preferences: Preferences }) {
  return (
    <fieldset className="field news-switches">
      <legend>{NEWS[news]}</legend>
      {WAYS.map(([way, label]) => {
        const name = switchName(news, way);
        return (
          <Checkbox key={way} id={`notifications-${name}`} name={name} defaultChecked={preferences[name]}>
            {label}
          </Checkbox>
        );
      })}
    </fieldset>
  );
}

const NOTES = {
  unknown: "",
  unsupported:
    "This browser has no notifications. On an iPhone or iPad, add the back office to the home screen first.",
  denied: "This browser blocks the shop's notifications. Allow them in its settings for this site.",
  off: "This device can notify you; of visitors' messages when no console is in view.",
  on: "This device notifies you of visitors' messages when no console is in view.",
  renewed: "The shop's notifications were set up anew. This device has joined again.",
  lost: "The shop's notifications were set up anew. Turn them on again on this device.",
  failed: "Notifications could not be changed. Please try again.",
};
const ON = ["on", "renewed"];

function DeviceSwitch({ publicKey, isSubscribed }: { publicKey: string; isSubscribed: boolean }) {
  const [state, setState] = useState<keyof typeof NOTES>("unknown");
  useEffect(() => {
    deviceState(isSubscribed, publicKey).then(setState, () => setState("unsupported"));
  }, [isSubscribed, publicKey]);
  const isOn = ON.includes(state);
  const change = async () => {
    try {
      if (isOn) await turnOff("staff");
      const isNowOn = !isOn && (await turnOn("staff", publicKey));
      setState(isNowOn ? "on" : isPushDenied() ? "denied" : "off");
    } catch {
      setState("failed");
    }
  };
  const isPossible = isOn || state === "off" || state === "lost" || state === "failed";
  return (
    <>
      <p className="soft needs-script" role="status">
        {NOTES[state]}
      </p>
      {isPossible && (
        <button type="button" className="btn" onClick={change}>
          {isOn ? "Turn off on this device" : "Turn on on this device"}
        </button>
      )}
      <noscript>
        <p className="soft">Turning notifications on needs JavaScript.</p>
      </noscript>
    </>
  );
}

/** Determines the state of this device. A subscription of an ended session is removed, one of a former VAPID key renewed. */
async function deviceState(isSubscribed: boolean, publicKey: string): Promise<keyof typeof NOTES> {
  if (!isPushSupported()) return "unsupported";
  if (isPushDenied()) return "denied";
  const subscription = await browserSubscription("staff");
  if (!subscription) return "off";
  if (!isOfKey(subscription, publicKey))
    return (await turnOn("staff", publicKey).catch(() => false)) ? "renewed" : "lost";
  if (isSubscribed) return "on";
  await subscription.unsubscribe();
  return "off";
}
