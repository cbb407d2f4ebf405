import { OpenedValue } from "~/records/form-state";
import { Field, FormError, SelectField } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";
import type { WordsPageData } from "./page.server";
import { SEARCH_GROUP, WORDS_PATH, wordsUrl } from "./paths";

interface WordsProps {
  page: WordsPageData;
  reply: RefusedForm | undefined;
}

type Word = WordsPageData["words"][number];

const nameOf = ({ word, meaning }: Word) => `${word} = ${meaning}`;

/** Words that mean the same in a search, and searches that found nothing. */
export function WordsScreen({ page, reply }: WordsProps) {
  // A row's Remove has fields of the same names.
  const ofForm = reply?.lastResult?.initialValue?.intent === "removeWord" ? undefined : reply;
  return (
    <>
      <StatusRegion message={reply?.failure ?? null} answer={reply} />
      {reply !== ofForm && <FormError message={reply?.failure} />}
      <section className="panel search-words" aria-labelledby="words">
        <header className="settings-head">
          <h2 id="words">Words of the search</h2>
          <p className="soft">What shoppers say, and what the shop calls it</p>
        </header>
        <WordForm
          key={`${useFormKey(ofForm)} ${page.suggested} ${page.edited?.word}`}
          page={page}
          reply={ofForm}
        />
        <WordList page={page} />
      </section>
      <Missed missed={page.missed} />
    </>
  );
}

const DIRECTIONS = [
  { value: "both", label: "Each finds the other" },
  { value: "first", label: "The first finds the second, not the reverse" },
];

/** Fields of a pair, with what was typed or is edited. */
function WordFields({ page: { edited, suggested }, reply }: WordsProps) {
  const initial = reply?.lastResult?.initialValue ?? {};
  const field = (name: keyof Word, start: string) => ({
    ...{ id: `word-${name}`, name, error: reply?.lastResult?.error?.[name]?.[0] },
    defaultValue: typeof initial[name] === "string" ? String(initial[name]) : start,
  });
  return (
    <>
      <Field {...field("word", edited?.word ?? suggested)} label="Shoppers type" required maxLength={100} />
      <Field
        {...field("meaning", edited?.meaning ?? "")}
        label="The shop calls it"
        required
        maxLength={100}
      />
      <SelectField
        {...field("direction", edited?.direction ?? "both")}
        label="Direction"
        options={DIRECTIONS}
      />
    </>
  );
}

/** Form of a new pair, or of the one that is edited. */
function WordForm({ page, reply }: WordsProps) {
  const { edited } = page;
  return (
    <Form method="post" className="settings-part" id="word" preventScrollReset>
      <div>
        <h3>{edited ? "Change" : "Add"}</h3>
        <p className="soft">Whoever searches for the first finds what has the second in its name.</p>
      </div>
      <div className="settings-fields">
        {edited && <OpenedValue value={JSON.stringify(edited)} refused={reply} />}
        <FormError message={reply?.failure} />
        <WordFields page={page} reply={reply} />
        <SubmitButton intent={edited ? "changeWord" : "addWord"} busy="Saving..." className="btn primary">
          {edited ? "Save" : "Add"}
        </SubmitButton>
        {edited && <Link to={WORDS_PATH}>Cancel</Link>}
      </div>
    </Form>
  );
}

function WordList({ page: { words, isLast, isFirst, q } }: { page: WordsPageData }) {
  const last = words.at(-1);
  return (
    <div className="word-list">
      <Form method="get" role="search">
        <input type="hidden" name="group" value={SEARCH_GROUP} />
        <Field id="word-q" name="q" type="search" label="Find a word" defaultValue={q} maxLength={100} />
        <button type="submit" className="btn">
          Find
        </button>
      </Form>
      {words.length === 0 && <p className="soft">No word begins so.</p>}
      <ul>
        {words.map((word) => (
          <WordRow key={nameOf(word)} word={word} />
        ))}
      </ul>
      <p>
        {!isFirst && <Link to={q ? wordsUrl({ q }) : WORDS_PATH}>First page</Link>}
        {!isLast && last && (
          <Link to={wordsUrl({ q, word: last.word, meaning: last.meaning })}>More words</Link>
        )}
      </p>
    </div>
  );
}

function WordRow({ word }: { word: Word }) {
  const name = nameOf(word);
  return (
    <li>
      <span>
        <b>{word.word}</b> {word.direction === "both" ? "=" : "finds"} <b>{word.meaning}</b>
      </span>
      <Link
        className="btn btn-quiet"
        to={`${wordsUrl({ edit: name, q: word.word })}#word`}
        aria-label={`Edit ${name}`}
      >
        Edit
      </Link>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="word" value={word.word} />
        <input type="hidden" name="meaning" value={word.meaning} />
        <SubmitButton intent="removeWord" busy="Removing..." className="btn btn-quiet">
          <Icon name="trash-2" /> Remove <span className="visually-hidden">{name}</span>
        </SubmitButton>
      </Form>
    </li>
  );
}

/** Searches that found nothing, each with a link that fills the form above. */
function Missed({ missed }: Pick<WordsPageData, "missed">) {
  return (
    <section className="panel search-words" aria-labelledby="missed">
      <header className="settings-head">
        <h2 id="missed">Searches that found nothing</h2>
        <p className="soft">In the last 30 days, without who searched</p>
      </header>
      <div className="word-list">
        {missed.length === 0 && <p className="soft">Every search has found something.</p>}
        <ul>
          {missed.map(({ words, searches }) => (
            <li key={words}>
              <span>
                <b>{words}</b> <span className="soft">{searches === 1 ? "once" : `${searches} times`}</span>
              </span>
              <Link
                className="btn btn-quiet"
                to={`${wordsUrl({ add: words })}#word`}
                aria-label={`Make it a synonym: ${words}`}
              >
                Make it a synonym
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
