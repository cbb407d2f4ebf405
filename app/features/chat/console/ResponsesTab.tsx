import { Form, Link } from "@remix-run/react";
import { Field, TextArea } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { SubmitButton } from "~/ui/SubmitButton";
import { useOpenedValues } from "~/ui/useCheckedForm";
import { consoleAddress, type Place } from "./place";
import { type Refused, refusalOf, typed, wrong } from "./refused";

interface Response {
  id: string;
  trigger: string;
  response: string;
  category: string;
  isActive: boolean;
}

interface ResponsesTabProps {
  place: Place;
  responses: Response[] | null;
  refused: Refused | undefined;
}

/** The predefined responses: added, changed and deleted here (back office 2, Responses tab). */
export function ResponsesTab({ place, responses, refused }: ResponsesTabProps) {
  const { chat } = place;
  const edited = responses?.find(({ id }) => id === place.edit);
  const refusal = refusalOf(refused, "addResponse", "updateResponse");
  // Deleted by somebody else meanwhile: what was typed stays, and can be added anew.
  const isGone = place.edit !== null && refusal !== undefined;
  const isOpen = place.isAdding || edited !== undefined || isGone;
  return (
    <div className="settings">
      <div className="button-row">
        <h3 className="grow">Predefined Responses</h3>
        {!isOpen && (
          <Link
            className="btn primary"
            to={consoleAddress({ tab: "responses", chat, dialog: "new" })}
            preventScrollReset
          >
            <Icon name="plus" className="i s" />
            Add Response
          </Link>
        )}
      </div>
      {isOpen && <ResponseForm key={edited?.id ?? "new"} edited={edited} chat={chat} refused={refusal} />}
      {responses === null && <p className="soft">Failed to fetch predefined responses</p>}
      {responses?.length === 0 && <p className="soft">No responses yet.</p>}
      <ul className="response-list">
        {responses?.map((response) => (
          <Answer key={response.id} response={response} chat={chat} />
        ))}
      </ul>
    </div>
  );
}

function Answer({ response, chat }: { response: Response; chat: string | null }) {
  const { id, trigger, category, isActive } = response;
  return (
    <li>
      <div className="grow">
        <b>{trigger}</b>
        <p>{response.response}</p>
        <small className="soft">{isActive ? category : `${category} · Inactive`}</small>
      </div>
      <Link
        className="tool-button"
        to={consoleAddress({ tab: "responses", chat, edit: id })}
        aria-label={`Edit response: ${trigger}`}
        title="Edit"
      >
        <Icon name="pencil" className="i s" />
      </Link>
      <Link
        className="tool-button danger"
        to={consoleAddress({ tab: "responses", chat, delete: id })}
        aria-label={`Delete response: ${trigger}`}
        title="Delete"
        preventScrollReset
      >
        <Icon name="trash-2" className="i s" />
      </Link>
    </li>
  );
}

/** What the form shows of a response, as JSON. */
function shownOf({ trigger, response, category }: Response): string {
  return JSON.stringify({ trigger, response, category });
}

interface ResponseFormProps {
  edited: Response | undefined;
  chat: string | null;
  refused: Refused | undefined;
}

/** Keeps what the response was when the form was opened: it goes along, so that of two people the second is told. */
function ResponseForm(props: ResponseFormProps) {
  const { opened, key } = useOpenedValues(props.edited, props.refused);
  return <ResponseFields key={key} {...props} edited={opened} />;
}

function ResponseFields({ edited, chat, refused }: ResponseFormProps) {
  const field = (name: "trigger" | "category", initial: string) => ({
    id: `response-${name}`,
    name,
    defaultValue: typed(refused, name, initial),
    error: wrong(refused, name),
  });
  const intent = edited ? "updateResponse" : "addResponse";
  const trigger = field("trigger", edited?.trigger ?? "");
  return (
    <Form method="post" className="form-box" preventScrollReset>
      {edited && <input type="hidden" name="id" value={edited.id} />}
      {edited && <input type="hidden" name="was" value={shownOf(edited)} />}
      {chat && <input type="hidden" name="chat" value={chat} />}
      <Field label="Trigger word/phrase" required maxLength={200} {...trigger} />
      <TextArea
        id="response-response"
        name="response"
        label="Response message"
        rows={3}
        required
        maxLength={2000}
        defaultValue={typed(refused, "response", edited?.response)}
        error={wrong(refused, "response")}
      />
      <Field label="Category" maxLength={60} {...field("category", edited?.category ?? "General")} />
      <div className="button-row">
        <SubmitButton intent={intent} busy="Saving..." className="btn primary">
          Save
        </SubmitButton>
        <Link className="btn" to={consoleAddress({ tab: "responses", chat })} preventScrollReset>
          Cancel
        </Link>
      </div>
    </Form>
  );
}
