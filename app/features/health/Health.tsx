import type { CSSProperties, ReactNode } from "react";
import { FormError } from "~/ui/Field";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import {
  Backups,
  Checks,
  Errors,
  Failures,
  inSeconds,
  megabytes,
  NightlyRuns,
  type Page,
  SlowRoutes,
} from "./HealthTables";

/** Shows whether the shop is ready, backed up and free of errors, and what is slow. */
export function Health({ page, failure }: { page: Page; failure: string | null }) {
  return (
    <div className="health">
      <div className="button-row">
        <p className="grow soft">Checked at {page.checkedAt}</p>
        <Link className="btn" to="/admin/health" preventScrollReset>
          <Icon name="rotate-cw" className="i s" /> Check now
        </Link>
      </div>
      {page.restore && (
        <p className="panel health-panel" role="status">
          A restore is under way: part {page.restore.next} of {page.restore.slices}. Nothing can be saved
          until it ends.
        </p>
      )}
      <Problems problems={page.problems} />
      <Summary page={page} />
      <div className="health-pair">
        <Checks checks={page.checks} />
        <ErrorsByHour hours={page.hours} />
      </div>
      <Errors errors={page.errors} />
      <div className="health-pair">
        <Mails mail={page.mail} failure={failure} />
        <Failures failures={page.failures} />
      </div>
      <SlowRoutes slow={page.slow} />
      <div className="health-pair">
        <Backups backups={page.backups} />
        <NightlyRuns runs={page.runs} />
      </div>
    </div>
  );
}

/** Lists what the owner is told by mail as well. */
function Problems({ problems }: Pick<Page, "problems">) {
  if (problems.length === 0) return null;
  return (
    <section className="panel health-panel" role="status">
      <header>
        <h2>Needs attention</h2>
      </header>
      <ul>
        {problems.map((message) => (
          <li key={message} className="failed">
            {message}.
          </li>
        ))}
      </ul>
    </section>
  );
}

function Summary({ page: { checks, lastBackup, lastRun, hours } }: { page: Page }) {
  const ready = checks.filter(({ ok }) => ok).length;
  const errors = sum(hours);
  const failedJobs = lastRun?.jobs.filter(({ failed }) => failed).length ?? 0;
  const pendingJobs = lastRun?.jobs.filter(({ pending }) => pending).length ?? 0;
  return (
    <section className="stat-cards" aria-label="At a glance">
      <Stat label="Ready" figure={`${ready} of ${checks.length}`}>
        <b>{Math.max(...checks.map(({ ms }) => ms))} ms</b> for all checks
      </Stat>
      <Stat label="Last backup" figure={lastBackup?.ago ?? "None"} unit={lastBackup ? " ago" : ""}>
        {lastBackup ? `${megabytes(lastBackup.bytes)}, ${lastBackup.result}` : "The first is made tonight"}
      </Stat>
      <Stat label="Last nightly run" figure={lastRun?.ago ?? "None"} unit={lastRun ? " ago" : ""}>
        {lastRun
          ? `${lastRun.jobs.length} jobs in ${inSeconds(lastRun.durationMs)}${failedJobs ? `, ${failedJobs} failed` : ""}${pendingJobs ? `, ${pendingJobs} not ended` : ""}`
          : "The first is tonight"}
      </Stat>
      <Stat label="Errors in 24 hours" figure={String(errors)}>
        {errors === 0 ? "No request has failed" : `${Math.max(...hours)} in the worst hour`}
      </Stat>
    </section>
  );
}

/** Shows what became of mails, and a button that sends one. @param failure of the test mail */
function Mails({ mail, failure }: Pick<Page, "mail"> & { failure: string | null }) {
  const { from, isPlaceholder, sent, last, failed, lastFailure } = mail;
  return (
    <section className="panel health-panel">
      <header>
        <h2>Mail</h2>
        <p>30 days, from {from}</p>
      </header>
      {isPlaceholder && (
        <p className="failed">MAIL_FROM is at a placeholder's domain, from which no mail is sent.</p>
      )}
      <p>
        {last ? `Last sent ${last.ago} ago, on ${last.time}` : "No mail was sent yet"}. {sent} sent,{" "}
        {failed === 0 ? "none refused" : <b className="failed">{failed} refused</b>}.
      </p>
      {lastFailure && (
        <p>
          Last refused on {lastFailure.time}, {lastFailure.place}: {lastFailure.message}.
        </p>
      )}
      <Received mail={mail} />
      <Form method="post" preventScrollReset>
        <FormError message={failure} />
        <SubmitButton intent="test-mail" busy="Sending..." className="btn">
          Send a test mail to me
        </SubmitButton>
      </Form>
    </section>
  );
}

/** Outcomes of received mails in words. */
const OUTCOMES: Record<Page["mail"]["received"][number]["outcome"], string> = {
  posted: "posted in their conversation",
  repeated: "delivered again",
  noToken: "not to an address of a conversation",
  unknownToken: "to a conversation that is not known, or was deleted",
  automatic: "automatic answers",
  bounce: "undeliverable mails that came back",
  list: "of mailing lists",
  loop: "from the shop itself",
  tooLarge: "over 30 MB",
  tooMany: "more than 30 in 10 minutes",
  unreadable: "without a text that could be read",
  gone: "to a conversation that was being deleted",
  erased: "of people whose data are being deleted",
  locked: "of locked accounts",
};

/** Counts the received mails by what became of them. */
function Received({ mail: { received, takesReplies } }: Pick<Page, "mail">) {
  if (received.length === 0)
    return (
      <p>
        {takesReplies
          ? "No reply was received yet: they need a routing rule (docs/operations.md, Replies by mail)."
          : "Replies by mail are off: MAIL_DOMAIN is empty."}
      </p>
    );
  return (
    <>
      <p>Received in about 30 days; all but the posted ones were dropped:</p>
      <ul>
        {received.map(({ outcome, mails }) => (
          <li key={outcome}>
            {mails} {OUTCOMES[outcome]}
          </li>
        ))}
      </ul>
    </>
  );
}

interface StatProps {
  label: string;
  figure: string;
  unit?: string;
  children: ReactNode;
}

function Stat({ label, figure, unit = "", children }: StatProps) {
  return (
    <div className="panel stat-card">
      <span className="stat-label">{label}</span>
      <span className="stat-figure">
        {figure}
        <i>{unit}</i>
      </span>
      <span className="trend">{children}</span>
    </div>
  );
}

function ErrorsByHour({ hours }: Pick<Page, "hours">) {
  const most = Math.max(1, ...hours);
  const bars = hours.map((errors, hour) => ({ errors, ago: hours.length - 1 - hour }));
  return (
    <section className="panel health-panel">
      <header>
        <h2>Errors by hour</h2>
        <p>24 hours</p>
      </header>
      {sum(hours) === 0 && <p>No request has failed.</p>}
      <div className="hour-bars" role="img" aria-label={`Errors by hour: ${hours.join(", ")}`}>
        {bars.map(({ errors, ago }) => (
          <span
            key={ago}
            title={`${counted(errors, "error")}, ${ago === 0 ? "this hour" : `${counted(ago, "hour")} ago`}`}
            style={
              { "--share": `${(errors / most) * 100}%`, "--least": errors ? "3px" : "0" } as CSSProperties
            }
          />
        ))}
      </div>
      <div className="hour-axis" aria-hidden="true">
        <span>24 hours ago</span>
        <span>now</span>
      </div>
    </section>
  );
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
