import { hoursText, weekText } from "~/domain/hours";
import type { ShopSettings } from "~/http/shop-settings.server";
import type { PlaceValues } from "./responses";

/** Returns the values of the shop for the placeholders of responses. @param now epoch seconds */
export function placeValues(shop: ShopSettings, now: number): PlaceValues {
  const { opensText, closesText } = hoursText(now, shop);
  return { hours: weekText(shop.hours), address: shop.address, opens: opensText, closing: closesText };
}
