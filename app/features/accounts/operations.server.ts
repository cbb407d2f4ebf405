import { openDb } from "~/db/client.server";
import { emailKey } from "~/http/fields";
import { findForeignKeys, replaceEmailKeys } from "./email-keys.queries.server";
import { deleteExpired } from "./queries.server";

/** The rules of accounts, by subject in operations/. */
export {
  changePassword,
  changePasswordByForm,
  forgotPassword,
  resetLinkError,
  resetPassword,
} from "./operations/password.server";
export { landingPage, me, signIn, signOut } from "./operations/sign-in.server";
export { signUp, signUpByForm } from "./operations/sign-up.server";
export { userListRow, userPage } from "./operations/user-list.server";
export {
  createUser,
  createUserByForm,
  deleteUser,
  listUsers,
  updateAccount,
  updateAccountByForm,
  updateProfile,
} from "./operations/users.server";

/** Removes what is past its time: sessions and reset links. Run nightly. */
export async function purgeExpired(env: Env): Promise<void> {
  await deleteExpired(openDb(env.DB, null).db, Math.floor(Date.now() / 1000));
}

/** Gives accounts from before the key by which their address is compared now. Run nightly, since SQL knows no IDNA. */
export async function renewEmailKeys(env: Env): Promise<void> {
  const { db } = openDb(env.DB, null);
  const outdated = (await findForeignKeys(db))
    .map(({ id, email, emailKey: before }) => ({ id, before, key: emailKey(email) }))
    .filter(({ before, key }) => before !== key);
  await replaceEmailKeys(db, outdated);
}
