import { sql } from "drizzle-orm";
import type { Business } from "../domain/enums";
import { preparedQuery } from "./client.server";
import { businessSettings } from "./sales.schema";

/** Tax that a registered business adds to its prices, or has in them. */
export interface BusinessTax {
  business: Business;
  name: string;
  /** Basis points: 1300 is 13 %. */
  rate: number;
  /** 1 where prices include it. */
  isIncluded: number;
}

/** Reads the taxes of the businesses that are registered, at most one row each. */
export const findBusinessTaxes = preparedQuery<BusinessTax>((db) => {
  const { businessType, taxName, taxRate, taxNumber, taxIncluded } = businessSettings;
  return db
    .select({
      business: sql`${businessType}`.as("business"),
      name: sql`${taxName}`.as("name"),
      rate: sql`${taxRate}`.as("rate"),
      isIncluded: sql`${taxIncluded}`.as("isIncluded"),
    })
    .from(businessSettings)
    .where(sql`${taxNumber} <> '' AND ${taxRate} > 0`);
});
