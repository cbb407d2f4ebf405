import { Link } from "~/ui/navigation";

/** Leads admins to the page that downloads and deletes the data of a customer, or of a chat's visitor. */
export function PersonalDataLink({ subject }: { subject: { customer: string } | { chat: string } }) {
  return (
    <Link className="quiet-link" to={`/admin/personal-data?${new URLSearchParams(subject)}`}>
      Personal data: download or delete
    </Link>
  );
}
