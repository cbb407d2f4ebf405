import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { publicMeta } from "~/features/catalogue/public-meta";
import type { PageHandle } from "~/http/page.server";
import contentsPageCss from "~/ui/contents-page.css?url";
import { LegalContact, LegalPage, type LegalSection } from "~/ui/LegalPage";
import { Link } from "~/ui/navigation";
import { pageMeta, siteOf } from "~/ui/site";

export const handle: PageHandle = { publicPage: { parameters: [] } };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: contentsPageCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    publicMeta(
      {
        title: "Privacy Policy",
        description: "What this shop knows about you, why, for how long, and what you can do about it.",
        path: "/privacy",
      },
      siteOf(matches),
    ),
    matches,
  );

const SECTIONS: LegalSection[] = [
  {
    id: "collected",
    title: "Information we collect",
    body: (
      <>
        <p>Only what the shop needs to work:</p>
        <ul>
          <li>
            <b>Your account</b>, if you create one: first and last name, email address, phone number if you
            give it, and your password, which we keep only as a hash that can’t be turned back.
          </li>
          <li>
            <b>Chats</b>: what you write to us, with the whole text of mails in which you answer, the name and
            email address if you give them, and when. While you have a chat with us, we see which page of the
            shop is in front of you; we don’t store it.
          </li>
          <li>
            <b>What you wait for</b>: your email address or browser with the sold-out things that you asked us
            to tell you about.
          </li>
          <li>
            <b>Searches that found nothing</b>: their words and how often, never who searched.
          </li>
          <li>
            <b>Sales</b>: what you bought, when, for how much and how you paid. Never a card number: you pay
            in person, and the site takes no payments.
          </li>
          <li>
            <b>Log data</b>: network address, browser, pages asked for and when, as any web server sees them.
          </li>
        </ul>
        <p>We don’t use advertising or analytics trackers, and we buy no data about you from anybody.</p>
      </>
    ),
  },
  {
    id: "use",
    title: "How we use it",
    body: (
      <ul>
        <li>to answer you, set things aside under your name and hand them over;</li>
        <li>to sign you in, and to send you a link when you have forgotten your password;</li>
        <li>to keep the books that the law asks of us;</li>
        <li>to keep the site running, find faults and stop abuse.</li>
      </ul>
    ),
  },
  {
    id: "sharing",
    title: "Sharing",
    body: (
      <>
        <p>We don’t sell or rent your information. We share it only with:</p>
        <ul>
          <li>the providers that host the site and deliver its mail, who may use it for nothing else;</li>
          <li>our accountant and the tax authorities, as far as sales are concerned;</li>
          <li>courts and authorities, where the law obliges us;</li>
          <li>anyone who takes the shop over one day, under the same promises.</li>
        </ul>
      </>
    ),
  },
  {
    id: "security",
    title: "Security",
    body: (
      <p>
        Connections are encrypted, passwords are hashed, sign-ins are limited in how often they can be tried,
        and only staff can read chats and accounts. No system is perfectly safe: should something happen that
        puts you at real risk, we will tell you and the authorities without delay.
      </p>
    ),
  },
  {
    id: "rights",
    title: "Your rights",
    body: (
      <>
        <p>
          You can see and correct your details under{" "}
          <Link className="link" to="/account">
            My Account
          </Link>
          , download a copy that a computer can read, and delete your account and your chats; receipts that
          the law makes us keep lose your name. Write to us and we will also:
        </p>
        <ul>
          <li>do the same for you if you have no account;</li>
          <li>stop a use that you object to, or that you no longer agree to.</li>
        </ul>
        <p>
          We answer within 30 days and charge nothing. You may also complain to your privacy commissioner.
        </p>
      </>
    ),
  },
  {
    id: "cookies",
    title: "Cookies",
    body: (
      <>
        <p>All of them are ours, and each is there because something you asked for needs it:</p>
        <ul>
          <li>
            <b>Session</b>: keeps you signed in, until you close the browser, or for 30 days if you ticked
            Remember me.
          </li>
          <li>
            <b>Cart</b>: what you put in it, for a year; after Clear cart, for an hour, so that Undo can put
            it back.
          </li>
          <li>
            <b>Chat</b>: lets you come back to your own chats, for 90 days.
          </li>
          <li>
            <b>Back in stock</b>: what you asked us to tell you about on this device, for a year, or until you
            sign out.
          </li>
          <li>
            <b>Theme</b>: light or dark, if you chose one, for a year.
          </li>
          <li>
            <b>Message and bookmark</b>: show you the outcome of what you just did, for a minute.
          </li>
        </ul>
        <p>You can delete them in your browser. Without them you can still look round.</p>
      </>
    ),
  },
  {
    id: "retention",
    title: "How long we keep it",
    body: (
      <ul>
        <li>Your account: until you delete it, and seven days longer.</li>
        <li>
          What you wait for: 30 days after we told you, a year at most, 3 days where you don’t confirm it.
          Words of searches: 30 days.
        </li>
        <li>Chats: as long as we need them to serve you, or until you ask us to delete them.</li>
        <li>Sales: as long as tax law demands, in Canada six years after the year they belong to.</li>
        <li>Backups of all this: up to 12 months after the deletion, out of use.</li>
        <li>Log data: typically 12 to 24 months.</li>
      </ul>
    ),
  },
  {
    id: "transfers",
    title: "International transfers",
    body: (
      <p>
        The site runs on a worldwide network, so your information may be stored or pass through countries
        other than your own, with other privacy laws. We use only providers that commit themselves by contract
        to protect it as this policy says.
      </p>
    ),
  },
  {
    id: "children",
    title: "Children under 18",
    body: (
      <p>
        The shop is not meant for anybody under 18, and we don’t knowingly collect their information. If you
        think that a child has given us some, tell us, and we will delete it.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Changes to this policy",
    body: (
      <p>
        We will say on this page when it changes. If a change is material we give 30 days’ notice before it
        takes effect, by email too if you have an account.
      </p>
    ),
  },
  {
    id: "contact",
    title: "Contact",
    body: (
      <>
        <p>The person who answers here is responsible for your information:</p>
        <LegalContact />
      </>
    ),
  },
  {
    id: "compliance",
    title: "Compliance: GDPR and CCPA",
    body: (
      <>
        <p>
          We follow Canada’s privacy law (PIPEDA). If you are in the European Economic Area or the United
          Kingdom, the GDPR gives you the rights listed above; we process your information to carry out what
          you asked for, to meet legal duties, and in our legitimate interest in a safe and working shop.
        </p>
        <p>
          If you live in California, the CCPA gives you the right to know, to correct, to delete and not to be
          treated differently for asking. We don’t sell or share personal information as that law defines it.
        </p>
      </>
    ),
  },
];

export default function Privacy() {
  return (
    <LegalPage
      title="Privacy Policy"
      lead={
        <>
          What we know about you, why, and what you can do about it. This policy was last updated{" "}
          <span className="whole">August 3, 2025</span>.
        </>
      }
      sections={SECTIONS}
      otherPage={{ to: "/terms", name: "Terms and Conditions" }}
    />
  );
}
