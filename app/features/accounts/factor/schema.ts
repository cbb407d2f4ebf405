import { z } from "zod";
import { password, requiredText } from "~/http/fields";
import { CURRENT_PASSWORD_REQUIRED } from "../schema";

/** Tab of My Account with the second factor. */
export const FACTOR_PATH = "/account?tab=factor";

/** Longest text of a code: one for recovery, with hyphens and spaces. */
export const MAX_FACTOR_CODE = 40;

/** Code of an authenticator or for recovery. */
const factorCode = requiredText("Code is required", MAX_FACTOR_CODE).meta({ examples: ["492039"] });

export const FactorBeginForm = z.object({ currentPassword: password(CURRENT_PASSWORD_REQUIRED) });
export const FactorCodeForm = z.object({ code: factorCode });
/** Form that changes a second factor that is on. */
export const FactorChangeForm = FactorBeginForm.extend({ code: factorCode });
