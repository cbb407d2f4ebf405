import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { Operation } from "~/http/operation.server";

/**
 * The page's sign-in: remix-auth reads the form and asks the same operation as the API who that is.
 *
 * @param signIn the operation that verifies e-mail and password
 * @param request the page's request, its body not read yet: a copy is kept for remix-auth
 * @returns the operation, as formAction runs it
 */
export function formAuthenticator<O>(signIn: Operation<O>, request: Request): Operation<O> {
  const copy = request.clone() as Request;
  return {
    ...signIn,
    execute(context) {
      const strategy = new FormStrategy<O>(({ form }) => signIn.execute(context, Object.fromEntries(form)));
      return new Authenticator<O>().use(strategy).authenticate("form", copy);
    },
  };
}
