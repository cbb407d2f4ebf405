import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { CURRENCY_NAME } from "~/domain/currency";
import { publicMeta } from "~/features/catalogue/public-meta";
import type { PageHandle } from "~/http/page.server";
import contentsPageCss from "~/ui/contents-page.css?url";
import { LegalContact, LegalPage, type LegalSection } from "~/ui/LegalPage";
import { Link } from "~/ui/navigation";
import { pageMeta, siteOf, useSite } from "~/ui/site";

export const handle: PageHandle = { publicPage: { parameters: [] } };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: contentsPageCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    publicMeta(
      {
        title: "Terms and Conditions",
        description: "What you can expect of us, and we of you, when you use this shop.",
        path: "/terms",
      },
      siteOf(matches),
    ),
    matches,
  );

/** Names of the businesses, as the settings have them. */
function Retailer() {
  const { EMPORIA, LASER } = useSite().businesses;
  return (
    <p>
      This website is run by a small Canadian retailer with two businesses: {EMPORIA}, a general shop, and{" "}
      {LASER}, which engraves. “We”, “us” and “our” mean that retailer; “you” means anyone who uses the site.
    </p>
  );
}

const SECTIONS: LegalSection[] = [
  {
    id: "introduction",
    title: "Introduction",
    body: (
      <>
        <Retailer />
        <p>
          The site is a catalogue and a way to talk to us. It has no checkout. You look round, you write to
          us, we agree on what you would like, and you collect it from us in person. A sale comes about only
          when we have confirmed it to you and you collect and pay.
        </p>
      </>
    ),
  },
  {
    id: "acceptance",
    title: "Acceptance of these terms",
    body: (
      <>
        <p>By using the site you accept these terms. If you don’t accept them, please don’t use it.</p>
        <p>
          You must be 18 or older to create an account, to start a chat about a purchase, or to buy from us.
          By doing any of these you confirm that you are.
        </p>
      </>
    ),
  },
  {
    id: "accounts",
    title: "Accounts",
    body: (
      <>
        <p>You can browse, keep a cart and chat with us without an account. If you create one:</p>
        <ul>
          <li>give us your own name and an email address that you read, and keep them up to date;</li>
          <li>keep your password to yourself, and don’t use one that you use elsewhere;</li>
          <li>tell us at once if you think that somebody else has used your account.</li>
        </ul>
        <p>
          We may close or suspend an account that is used against these terms. You can ask us to close yours
          at any time.
        </p>
      </>
    ),
  },
  {
    id: "use",
    title: "Use of the service and prohibited activities",
    body: (
      <>
        <p>
          You may use the site to look for products, to talk to us about them and to buy them. You may not:
        </p>
        <ul>
          <li>break the law with it, or help somebody else to;</li>
          <li>use somebody else’s name, account or chat, or pretend to be our staff;</li>
          <li>send threats, hate, spam or anything that would harm a person or a computer;</li>
          <li>try to get at data, accounts or parts of the site that are not meant for you;</li>
          <li>slow the site down on purpose, or collect its contents by machine for resale;</li>
          <li>ask us to engrave what you have no right to use, or what is unlawful or hateful.</li>
        </ul>
        <p>
          Things in your cart are not set aside. Stock and prices on the site may change until we have
          confirmed them to you; if a price is plainly a mistake we will tell you before you decide. Engraving
          is made to your words, so read the proof before you say yes: engraved goods can’t be put back on the
          shelf.
        </p>
      </>
    ),
  },
  {
    id: "financial-services",
    title: "Financial services",
    body: (
      <>
        <p>
          We offer no financial services. The site takes no payments, stores no card or bank details, gives no
          credit and holds no money for you. Amounts on it are in {CURRENCY_NAME} and are there to inform you.
        </p>
        <p>
          You pay in person when you collect: cash, card or Interac e-Transfer. Card and e-Transfer payments
          are carried out by your bank and by the payment provider at our counter, under their own terms.
        </p>
      </>
    ),
  },
  {
    id: "intellectual-property",
    title: "Intellectual property",
    body: (
      <>
        <p>
          The texts, pictures and design of the site belong to us or to those who let us use them. You may
          look at them, print them for yourself and share links to them. For anything more, ask us.
        </p>
        <p>
          What you send us to be engraved stays yours. You allow us to copy and adapt it as far as the work
          needs it, and you confirm that you have the right to.
        </p>
      </>
    ),
  },
  {
    id: "privacy",
    title: "Privacy",
    body: (
      <p>
        What we know about you, why, and what you can do about it stands in our{" "}
        <Link className="link" to="/privacy">
          Privacy Policy
        </Link>
        , which is part of these terms.
      </p>
    ),
  },
  {
    id: "disclaimers",
    title: "Disclaimers",
    body: (
      <>
        <p>
          We describe and picture our products with care, but screens differ, and wood, stone and leather
          never look the same twice. The site is offered as it is: we don’t promise that it will always be
          reachable or free of mistakes.
        </p>
        <p>
          Nothing here takes away the warranties and rights that the law gives you as a consumer and that
          can’t be signed away.
        </p>
      </>
    ),
  },
  {
    id: "liability",
    title: "Limitation of liability",
    body: (
      <p>
        As far as the law allows, we are not liable for indirect losses such as lost profit or lost data, and
        our liability for anything to do with a product is limited to what you paid for it. We don’t limit our
        liability for injury, for fraud, for gross negligence, or where the law doesn’t let us.
      </p>
    ),
  },
  {
    id: "governing-law",
    title: "Governing law",
    body: (
      <p>
        These terms are governed by the laws of Ontario and the federal laws of Canada that apply there. The
        courts of Ontario decide, unless the consumer law of the place where you live gives you the right to
        turn to the courts there.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Changes to these terms",
    body: (
      <p>
        When we change something material we give 30 days’ notice, on this page and by email to those who have
        an account. Smaller changes, such as a clearer sentence, apply from the day they stand here. If you
        keep using the site after a change has taken effect, you accept it.
      </p>
    ),
  },
  {
    id: "contact",
    title: "Contact",
    body: (
      <>
        <p>For questions about these terms:</p>
        <LegalContact />
      </>
    ),
  },
];

export default function Terms() {
  return (
    <LegalPage
      title="Terms and Conditions"
      lead={
        <>
          What you can expect of us, and we of you. These terms were last updated{" "}
          <span className="whole">August 3, 2025</span>.
        </>
      }
      sections={SECTIONS}
      otherPage={{ to: "/privacy", name: "Privacy Policy" }}
    />
  );
}
