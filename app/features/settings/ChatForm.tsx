import { CATEGORIES, type Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { MAX_FIRST_QUESTIONS } from "~/domain/first-questions";
import { consoleUrl } from "~/features/chat/console-params";
import { firstQuestions } from "~/features/chat/first-questions";
import { questionsName, questionsPath, SETTINGS } from "~/features/chat/records";
import type { Answerer, ChatSettings } from "~/features/chat/rooms";
import { errorWithin, typedValue } from "~/records/form-state";
import { TextArea } from "~/ui/Field";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { ChatFields } from "./ChatFields";
import { ChatPreview, PreviewPart, useTyped } from "./previews";
import { type GroupFormProps, GroupHead, SettingsPart } from "./SettingsScreen";

/** Messages, answerer and first questions of the chat. */
export function ChatForm(props: GroupFormProps) {
  const { chat } = props.page;
  if (!chat) return <p className="soft">Failed to fetch chat settings</p>;
  return (
    <>
      <ChatFormFields {...props} chat={chat} />
      <Responses responses={props.page.responses} />
    </>
  );
}

type ChatFormFieldsProps = GroupFormProps & { chat: ChatSettings & Answerer };

function ChatFormFields({ page, refused, unsaved, chat }: ChatFormFieldsProps) {
  const shown = SETTINGS.formValues(chat);
  const { typed, watch } = useTyped(refused?.lastResult?.initialValue ?? shown);
  return (
    <Form method="post" encType="multipart/form-data" className="panel" preventScrollReset {...watch}>
      <GroupHead page={page} {...{ refused, unsaved }} record={SETTINGS} was={SETTINGS.pick(chat)}>
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
      <PreviewPart
        of="the chat"
        note={`Its head, and what is sent by itself. Now: ${page.chatStatus}.`}
        mayEdit={page.mayEdit}
      >
        <ChatPreview {...{ typed, chat, page }} />
      </PreviewPart>
    </Form>
  );
}

/** Responses, which are changed beside the conversations. */
function Responses({ responses }: Pick<GroupFormProps["page"], "responses">) {
  return (
    <section className="panel settings-responses" aria-labelledby="responses">
      <header className="settings-head">
        <h2 id="responses">Responses</h2>
        <p className="soft">Answers to words of a question, and texts to pick from.</p>
        <Link className="btn" to={consoleUrl({ tab: "responses", dialog: "new" })}>
          Add Response
        </Link>
      </header>
      {responses === null && <p className="soft">Failed to fetch predefined responses</p>}
      {responses?.length === 0 && <p className="soft">No responses yet.</p>}
      <ul>
        {responses?.map(({ id, trigger, response, category, isActive }) => (
          <li key={id}>
            <div className="grow">
              <b>{trigger}</b>{" "}
              <small className="soft">{isActive ? category : `${category} · Inactive`}</small>
              <p>{response}</p>
            </div>
            <Link className="btn small" to={consoleUrl({ tab: "responses", edit: id })}>
              Edit<span className="visually-hidden"> {trigger}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
