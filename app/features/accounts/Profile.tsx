import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";

/** The id of the link to edit mode. */
export const EDIT_LINK = "edit-profile";

/** What /account shows of its reader. */
export interface ProfileView {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  role: string;
  /** Month and year, in the shop's time zone. */
  memberSince: string;
}

/** The profile in view mode (spec 2, Account). */
export function Profile({ profile }: { profile: ProfileView }) {
  const rows = [
    ["First name", profile.firstName],
    ["Last name", profile.lastName],
    ["Email", profile.email],
    ["Phone", profile.phoneNumber || "Not given"],
    ["Role", profile.role],
    ["With us since", profile.memberSince],
  ];
  return (
    <>
      <dl className="profile">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Link id={EDIT_LINK} className="btn btn-line" to="/account?edit=1" replace preventScrollReset>
        <Icon name="pencil" />
        Edit Profile
      </Link>
    </>
  );
}
