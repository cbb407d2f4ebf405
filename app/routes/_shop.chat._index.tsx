import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Mail, Phone } from "lucide-react";
import { pageMeta } from "~/ui/seo";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(
    { title: "Support Chat", description: "Ask us about anything in the shop.", path: "/chat" },
    matches,
  );

export async function loader({ context: { settings } }: LoaderFunctionArgs) {
  return json({ email: settings.supportEmail, phone: settings.phone });
}

export default function SupportChat() {
  const { email, phone } = useLoaderData<typeof loader>();
  return (
    <div className="wrap">
      <div className="empty">
        <h1>Support Chat</h1>
        <p className="say">Tell us what you have your eye on. We check the shelf and set it aside for you.</p>
        <div className="empty-acts">
          <a className="btn btn-talk" href={`mailto:${email}`}>
            <Mail className="i" aria-hidden="true" /> {email}
          </a>
          <a className="btn btn-line" href={`tel:${phone.replace(/[^\d+]/g, "")}`}>
            <Phone className="i" aria-hidden="true" /> {phone}
          </a>
        </div>
      </div>
    </div>
  );
}
