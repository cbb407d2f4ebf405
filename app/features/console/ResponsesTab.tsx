import { type ConsoleParams, consoleUrl } from "~/features/chat/console-params";
import { RESPONSE } from "~/features/chat/records";
import {
  ConflictNotice,
  DraftNote,
  FormDraft,
  OpenedValue,
  recordForm,
  refusedFor,
} from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useOpenedValues } from "~/ui/useCheckedForm";

/** Key of the draft of a response that is being added. */
const NEW_DRAFT = "response-new";

interface Response {
  id: string;
  trigger: string;
  response: string;
  category: string;
  isActive: boolean;
}

interface ResponsesTabProps {
  params: ConsoleParams;
  responses: Response[] | null;
  refused: RefusedForm | undefined;
}

/** Predefined responses, with the form that adds or changes one. */
export function ResponsesTab({ params, responses, refused }: ResponsesTabProps) {
  const { chat } = params;
  const edited = responses?.find(({ id }) => id === params.edit);
  const own = refusedResponse(refused);
  // A colleague has deleted the response: the submitted values can be added as a new one.
  const isDeleted = params.edit !== null && own !== undefined;
  const isOpen = params.isAdding || edited !== undefined || isDeleted;
  return (
    <div className="settings">
      <div className="button-row">
        <h3 className="grow">Predefined Responses</h3>
        {!isOpen && (
          <Link
            className="btn primary"
            to={consoleUrl({ tab: "responses", chat, dialog: "new" })}
            preventScrollReset
          >
            <Icon name="plus" className="i s" />
            Add Response
          </Link>
        )}
      </div>
      {!isOpen && (
        <DraftNote name={NEW_DRAFT}>Add Response brings back what you had begun to write.</DraftNote>
      )}
      {isOpen && <ResponseForm key={edited?.id ?? "new"} edited={edited} chat={chat} refused={own} />}
      {responses === null && <p className="soft">Failed to fetch predefined responses</p>}
      {responses?.length === 0 && <p className="soft">No responses yet.</p>}
      <ul className="response-list">
        {responses?.map((response) => (
          <ResponseItem key={response.id} response={response} chat={chat} />
        ))}
      </ul>
    </div>
  );
}

/** Returns the answer to the form; that to the switch of a response stands in the status region. */
function refusedResponse(refused: RefusedForm | undefined): RefusedForm | undefined {
  const own = refusedFor(refused, "addResponse", "updateResponse");
  return own?.lastResult?.initialValue?.trigger === undefined ? undefined : own;
}

function ResponseItem({ response, chat }: { response: Response; chat: string | null }) {
  const { id, trigger, category, isActive } = response;
  return (
    <li className={isActive ? undefined : "is-inactive"}>
      <div className="grow">
        <b>{trigger}</b>
        <p>{response.response}</p>
        <small className="soft">{isActive ? category : `${category} · Inactive`}</small>
      </div>
      <ActiveSwitch response={response} chat={chat} />
      <Link
        className="tool-button"
        to={consoleUrl({ tab: "responses", chat, edit: id })}
        aria-label={`Edit response: ${trigger}`}
        title="Edit"
      >
        <Icon name="pencil" className="i s" />
      </Link>
      <Link
        className="tool-button danger"
        to={consoleUrl({ tab: "responses", chat, delete: id })}
        aria-label={`Delete response: ${trigger}`}
        title="Delete"
        preventScrollReset
      >
        <Icon name="trash-2" className="i s" />
      </Link>
    </li>
  );
}

/** Switch that takes a response out of the Quick Responses and the automatic ones, and back. */
function ActiveSwitch({
  response: { id, trigger, isActive },
  chat,
}: {
  response: Response;
  chat: string | null;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="isActive" value={String(!isActive)} />
      <input type="hidden" name="was" value={JSON.stringify({ isActive })} />
      {chat && <input type="hidden" name="chat" value={chat} />}
      <button
        type="submit"
        className="switch"
        role="switch"
        name="intent"
        value="updateResponse"
        aria-checked={isActive}
        aria-label={`Active: ${trigger}`}
        title={isActive ? "Deactivate" : "Activate"}
      />
    </Form>
  );
}

/** Serialises the form's initial values, which the server compares with the stored ones. */
function initialValues({ trigger, response, category }: Response): string {
  return JSON.stringify({ trigger, response, category });
}

interface ResponseFormProps {
  edited: Response | undefined;
  chat: string | null;
  refused: RefusedForm | undefined;
}

/** Keeps the values of the response as it was opened, so that the server can detect an edit conflict. */
function ResponseForm(props: ResponseFormProps) {
  const { opened, refused, key } = useOpenedValues(props.edited, props.refused);
  return <ResponseFields key={key} {...props} edited={opened} refused={refused} />;
}

/** The switch of the list has it. */
const ELSEWHERE = { isActive: null };

function ResponseFields({ edited, chat, refused }: ResponseFormProps) {
  const values = edited ? RESPONSE.formValues(edited) : RESPONSE.blank;
  return (
    <Form method="post" className="form-box" preventScrollReset>
      {edited && <EditedFields edited={edited} refused={refused} />}
      {chat && <input type="hidden" name="chat" value={chat} />}
      <ConflictNotice
        refused={refused}
        subject="this response"
        record={RESPONSE}
        theirs={consoleUrl({ tab: "responses", chat, ...(edited && { edit: edited.id }) })}
      />
      <FormDraft name={edited ? `response-${edited.id}` : NEW_DRAFT} />
      <RecordFields record={RESPONSE} form={recordForm("response", values, refused)} own={ELSEWHERE} />
      <SaveOrCancel intent={edited ? "updateResponse" : "addResponse"} chat={chat} />
    </Form>
  );
}

function EditedFields({ edited, refused }: { edited: Response; refused: RefusedForm | undefined }) {
  return (
    <>
      <input type="hidden" name="id" value={edited.id} />
      <OpenedValue value={initialValues(edited)} refused={refused} />
    </>
  );
}

function SaveOrCancel({ intent, chat }: { intent: string; chat: string | null }) {
  return (
    <div className="button-row">
      <SubmitButton intent={intent} busy="Saving..." className="btn primary">
        Save
      </SubmitButton>
      <Link className="btn" to={consoleUrl({ tab: "responses", chat })} preventScrollReset>
        Cancel
      </Link>
    </div>
  );
}
