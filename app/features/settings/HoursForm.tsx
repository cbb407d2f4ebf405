import { errorWithin, fieldError } from "~/records/form-state";
import { Checkbox, describedBy, FieldNotes } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { WEEK } from "./groups";
import { dayRow, draftOf, type HoursDraft, readDraft, spanNames } from "./hours-draft";
import type { HoursPreview } from "./page.server";
import { Act, PreviewPart } from "./previews";
import { type GroupFormProps, GroupHead, SettingsPart } from "./SettingsScreen";

/** Names of what a conflict may be about. */
const HOURS = {
  columns: [
    { name: "hours", field: { label: "Hours" } },
    { name: "chatFollowsHours", field: { label: "Chat follows the hours" } },
  ],
};

/** Week, days with hours of their own, and how a shopper reads them. */
export function HoursForm({ page, refused, unsaved }: GroupFormProps) {
  const { values, mayEdit } = page;
  const { hours, chatFollowsHours } = values;
  const redrawn = unsaved?.hours;
  const draft = redrawn?.draft ?? refusedDraft(refused, values) ?? draftOf(hours, chatFollowsHours);
  const preview = redrawn ? redrawn.preview : page.preview;
  return (
    <Form method="post" className="panel" preventScrollReset>
      <fieldset disabled={!mayEdit}>
        <GroupHead page={page} {...{ refused, unsaved }} record={HOURS} was={{ hours, chatFollowsHours }}>
          <SubmitButton intent="hours" busy="Saving..." className="btn primary">
            Save
          </SubmitButton>
        </GroupHead>
        <FieldNotes id="hours" error={fieldError(refused, "hours")} />
        <Week draft={draft} refused={refused} />
        <SpecialDays draft={draft} refused={refused} />
        <SettingsPart
          title="Chat"
          note="Online while the shop is open, away when not. Switching it by hand holds until the hours change next."
        >
          <Checkbox id="hours-chat" name="chatFollowsHours" defaultChecked={draft.chatFollowsHours}>
            Chat follows the hours
          </Checkbox>
          <p className="hint">Now: {page.chatStatus}.</p>
        </SettingsPart>
        <Preview preview={preview} mayEdit={mayEdit} />
      </fieldset>
    </Form>
  );
}

function Week({ draft, refused }: { draft: HoursDraft; refused: RefusedForm | undefined }) {
  return (
    <SettingsPart
      title="Week"
      note="At most two times a day, by the shop's clock. Leave a day empty when you are closed. 00:00 closes at midnight; a whole day is 00:00 to 23:59."
    >
      {WEEK.map(({ day, name }) => (
        <DayRow
          key={day}
          row={day}
          name={name}
          spans={draft.weekly[day]}
          error={errorWithin(refused, `hours.weekly.${day}`)}
        />
      ))}
    </SettingsPart>
  );
}

/** Returns what a refused form holds; where somebody else changed the hours alone, theirs. */
function refusedDraft(refused: RefusedForm | undefined, { hours }: GroupFormProps["page"]["values"]) {
  const sent = refused?.lastResult?.initialValue;
  if (!sent) return null;
  const draft = readDraft(sent);
  return typeof sent.hours === "string" ? draftOf(hours, draft.chatFollowsHours) : draft;
}

interface DayRowProps {
  row: string;
  name: string;
  spans: { opens: string; closes: string }[];
  error: string | undefined;
}

/** Times of one day: the first always, the second after its button. */
function DayRow({ row, name, spans, error }: DayRowProps) {
  return (
    <div className="hours-row">
      <b>{name}</b>
      <Span row={row} name={name} number={0} span={spans[0]} error={error} />
      {spans.length > 1 ? (
        <>
          <Span row={row} name={name} number={1} span={spans[1]} error={error} />
          <Act act={`single ${row}`} label="One time" of={name} />
        </>
      ) : (
        <Act act={`second ${row}`} label="Second time" of={name} />
      )}
      <FieldNotes id={`hours-${row}`} error={error} />
    </div>
  );
}

interface SpanProps {
  row: string;
  name: string;
  number: number;
  span: { opens: string; closes: string } | undefined;
  error: string | undefined;
}

function Span({ row, name, number, span, error }: SpanProps) {
  const names = spanNames(row, number);
  const which = number === 0 ? "" : ", second time";
  const notes = describedBy(`hours-${row}`, error);
  return (
    <span className="hours-span">
      <input
        className="input"
        type="time"
        name={names.opens}
        aria-label={`${name} opens${which}`}
        defaultValue={span?.opens ?? ""}
        {...notes}
      />{" "}
      to{" "}
      <input
        className="input"
        type="time"
        name={names.closes}
        aria-label={`${name} closes${which}`}
        defaultValue={span?.closes ?? ""}
        {...notes}
      />
    </span>
  );
}

function SpecialDays({ draft, refused }: { draft: HoursDraft; refused: RefusedForm | undefined }) {
  return (
    <SettingsPart
      title="Closed days and other hours"
      note="They go before the week. Past ones leave the list."
    >
      {draft.days.map(({ day, spans, note }, i) => {
        const row = dayRow(i);
        const name = day || "the new day";
        return (
          <div className="hours-day" key={row}>
            <input className="input" type="date" name={row} aria-label="Day" defaultValue={day} />
            <input
              className="input"
              name={`${row}-note`}
              aria-label={`Note for ${name}`}
              placeholder="Note"
              maxLength={60}
              defaultValue={note}
            />
            <DayRow row={row} name={name} spans={spans} error={errorWithin(refused, `hours.days.${i}`)} />
            <Act act={`remove ${row}`} label="Remove" of={name} />
          </div>
        );
      })}
      <Act act="add" label="Add a day" of="own hours" />
    </SettingsPart>
  );
}

function Preview({ preview, mayEdit }: { preview: HoursPreview | null; mayEdit: boolean }) {
  return (
    <PreviewPart
      of="these hours"
      note="At a product, in the cart, in the chat, on receipts."
      mayEdit={mayEdit}
      isLive={false}
    >
      {preview ? (
        <dl className="hours-preview">
          {preview.moments.map(({ when, text }) => (
            <div key={when}>
              <dt>{when}</dt>
              <dd>{text}</dd>
            </div>
          ))}
          {preview.lines.map(({ days, times }) => (
            <div key={days}>
              <dt>{days}</dt>
              <dd>{times}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>A time is missing or wrong: Save says which.</p>
      )}
    </PreviewPart>
  );
}
