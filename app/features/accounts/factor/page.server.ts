import { failureMessage, intent } from "~/http/form-action.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { type CurrentUser, hasRole } from "~/session/caller.server";
import { formatDate } from "~/ui/format";
import {
  beginFactor,
  cancelFactor,
  confirmFactor,
  pendingSecret,
  renewCodes,
  turnOffFactor,
} from "../operations/factor.server";
import { authenticatorUrl, inGroups } from "./codes.server";
import { qrCode } from "./qr.server";
import { findFactor } from "./queries.server";
import { FACTOR_PATH } from "./schema";

export type FactorPage = Awaited<ReturnType<typeof readFactorPage>>;

/** Reads the tab of the second factor: whether it is on, or the secret that is being set up. */
export async function readFactorPage(context: RequestContext, user: CurrentUser) {
  const { db } = context;
  const [settings, factor, secret] = await Promise.all([
    shopSettings(context),
    user.hasFactor ? findFactor(db, user.id) : null,
    pendingSecret(context, user),
  ]);
  return {
    isOffered: hasRole(user),
    isRequired: settings.requiresFactor,
    shop: settings.name,
    on: factor && {
      since: formatDate(factor.createdAt, settings.timezone),
      codesLeft: factor.codesLeft,
    },
    setUp: factor || secret === null ? null : setUpView(secret, settings.name, user.email),
  };
}

const setUpView = (secret: string, shop: string, email: string) => ({
  secret: inGroups(secret, " "),
  qr: qrCode(authenticatorUrl(secret, shop, email)),
});

/** Recovery codes that were just made. */
export interface NewCodes {
  codes: string[];
}

const shown = (codes: string[]) => ({ page: { codes } satisfies NewCodes });

/** Forms of the tab. */
export const FACTOR_FORMS = {
  factorBegin: intent(beginFactor, { done: () => ({ to: FACTOR_PATH }), failed: failureMessage("") }),
  factorCancel: intent(cancelFactor, { done: () => ({ to: FACTOR_PATH }) }),
  factorConfirm: intent(confirmFactor, { done: shown, failed: failureMessage("") }),
  factorCodes: intent(renewCodes, { done: shown, failed: failureMessage("") }),
  factorOff: intent(turnOffFactor, {
    done: () => ({ to: FACTOR_PATH, toast: "Your second factor is off." }),
    failed: failureMessage(""),
  }),
};
