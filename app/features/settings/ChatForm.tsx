import { CATEGORIES, type Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { MAX_FIRST_QUESTIONS } from "~/domain/first-questions";
import { consoleUrl } from "~/features/chat/console-params";
import { firstQuestions } from "~/features/chat/first-questions";
import { questionsName, questionsPath, SETTINGS } from "~/features/chat/records";
import type { ChatSettings } from "~/features/chat/rooms";
import { errorWithin, typedValue } from "~/records/form-state";
import { TextArea } from "~/ui/Field";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { ChatFields } from "./ChatFields";
import { type GroupFormProps, GroupHead, SettingsPart } from "./SettingsScreen";

/** Messages, answerer and first questions of the chat. */
export function ChatForm({ page, refused }: GroupFormProps) {
  const { chat } = page;
  if (!chat) return <p className="soft">Failed to fetch chat settings</p>;
  return (
    <Form method="post" encType="multipart/form-data" className="panel" preventScrollReset>
      <GroupHead page={page} refused={refused} record={SETTINGS} was={SETTINGS.pick(chat)}>
        <SubmitButton intent="chat" busy="Saving..." className="btn primary">
          Save
        </SubmitButton>
      </GroupHead>
      <ChatFields settings={chat} refused={refused} Part={SettingsPart} />
      <SettingsPart
        title="First questions"
        note={`Above the field of a chat about a product; one tap sends one. One a line, at most ${MAX_FIRST_QUESTIONS} for a category. Empty: those in grey.`}
      >
        {CATEGORIES.map((category) => (
          <QuestionsField key={category} category={category} settings={chat} refused={refused} />
        ))}
      </SettingsPart>
      <SettingsPart title="Responses" note="Answers to words of a question, and texts to pick from.">
        <p>
          They stand beside the conversations, under{" "}
          <Link className="link" to={consoleUrl({ tab: "responses" })}>
            Responses
          </Link>
          .
        </p>
      </SettingsPart>
    </Form>
  );
}

interface QuestionsFieldProps {
  category: Category;
  settings: Pick<ChatSettings, "firstQuestions">;
  refused: RefusedForm | undefined;
}

/** First questions of a category, one a line. */
function QuestionsField({ category, settings, refused }: QuestionsFieldProps) {
  const name = questionsName(category);
  const path = questionsPath(category);
  const usual = firstQuestions({ stock: 1, category, hasEngraving: category === "ENGRAVING" }, {});
  const stored = (settings.firstQuestions[category] ?? []).join("\n");
  return (
    <TextArea
      id={`settings-${name}`}
      name={name}
      label={categoryName(category)}
      rows={MAX_FIRST_QUESTIONS}
      placeholder={usual.join("\n")}
      // A conflict brings along what somebody else has saved.
      defaultValue={typedValue(refused, path, typedValue(refused, name, stored))}
      error={errorWithin(refused, path)}
    />
  );
}
