import { useRouteLoaderData } from "@remix-run/react";
import { keepShown } from "../client/storage";

interface ShopData {
  user: { isAdmin: boolean; isManager: boolean } | null;
}

/** Staff see here what customers see, but speak as the shop: their work is in the console. */
export function SellerNote() {
  const shop = useRouteLoaderData("routes/_shop") as ShopData | undefined;
  const isInOffice = useRouteLoaderData("routes/admin") !== undefined;
  if (!isInOffice && !shop?.user?.isAdmin && !shop?.user?.isManager) return null;
  return (
    <p className="chat-note soft">
      You write as Support Team here.{" "}
      <a href="/admin/chat" onClick={() => keepShown("bar")}>
        Answer customers in the console
      </a>
    </p>
  );
}
