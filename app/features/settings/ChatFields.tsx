import type { ReactNode } from "react";
import { SETTINGS } from "~/features/chat/records";
import type { Answerer, ChatSettings } from "~/features/chat/rooms";
import { formatReplyTime } from "~/features/chat/time";
import { recordForm, typedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import { recordOf } from "~/records/record";
import { Checkbox } from "~/ui/Field";
import { Picture } from "~/ui/Picture";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { PictureField } from "./PictureField";

interface ChatFieldsProps {
  settings: ChatSettings & Answerer;
  refused: RefusedForm | undefined;
  /** Part of the form with its explanation beside it. */
  Part(props: { title: string; note: string; children: ReactNode }): ReactNode;
}

const { answererName, staffShownAs, welcomeMessage, offlineMessage, isOnline, autoResponseEnabled } =
  SETTINGS.fields;
/** Fields of the form's parts. */
const ANSWERER = recordOf({ answererName, staffShownAs });
const MESSAGES = recordOf({ welcomeMessage, offlineMessage });
const AVAILABILITY = recordOf({ isOnline, autoResponseEnabled });

/** Fields of the chat's settings, in the console and among the settings of the shop. */
export function ChatFields({ settings, refused, Part }: ChatFieldsProps) {
  const form = recordForm("settings", SETTINGS.formValues(settings), refused);
  return (
    <>
      <Part title="Who answers" note="Shown at the head of the chat in the shop.">
        <AnswererPicture settings={settings} refused={refused} />
        <RecordFields record={ANSWERER} form={form} hints={{ answererName: replyTimeHint(settings) }} />
      </Part>
      <Part title="Messages" note="Sent automatically. Leave one empty to send nothing.">
        <RecordFields record={MESSAGES} form={form} />
      </Part>
      <Part title="Availability" note="When off, visitors get the offline message.">
        <RecordFields record={AVAILABILITY} form={form} />
      </Part>
    </>
  );
}

const replyTimeHint = ({ replySeconds }: Answerer) =>
  replySeconds === null
    ? "Your usual reply time appears beside it once a few chats have been answered."
    : `Shown beside it: usually replies in ${formatReplyTime(replySeconds)}`;

function AnswererPicture({ settings, refused }: Omit<ChatFieldsProps, "Part">) {
  const { answererName, answererPicture } = settings;
  return (
    <div className="answerer-picture">
      {answererPicture ? (
        <Picture image={answererPicture} alt="Picture of the person who answers" sizes="64px" width={64} />
      ) : (
        <span className="initial" aria-hidden="true">
          {answererName.slice(0, 1) || "?"}
        </span>
      )}
      <PictureField id="settings-picture" name="picture" label="Picture" refused={refused} />
      {answererPicture && (
        <Checkbox
          id="settings-removesPicture"
          name="removesPicture"
          defaultChecked={typedValue(refused, "removesPicture") === "on"}
        >
          Remove the picture
        </Checkbox>
      )}
    </div>
  );
}
