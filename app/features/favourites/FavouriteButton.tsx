import { useFetcher, useLocation, useRouteLoaderData } from "@remix-run/react";
import { type FormEvent, useEffect } from "react";
import { Icon } from "~/ui/Icon";
import { keepForm } from "~/ui/kept-forms";
import { dismissToast, showToast } from "~/ui/Toasts";

/** Answer of the favourites' action to a fetched form. */
interface FavouriteResponse {
  failure?: string | null;
}

/** Key of the fetcher that sends a product's forms. */
export const favouriteFetcher = (id: string) => `favourite-${id}`;

/** Heart that adds a product to the favourites or removes it; a plain form without JavaScript. */
export function FavouriteButton({ id, name, className }: { id: string; name: string; className: string }) {
  const stored = useRouteLoaderData<{ favourites: string[] }>("routes/_shop")?.favourites ?? [];
  const { pathname, search } = useLocation();
  const key = favouriteFetcher(id);
  const { formData, data, submit } = useFetcher<FavouriteResponse>({ key });
  const isFavourite = formData ? formData.get("intent") === "add" : stored.includes(id);
  useEffect(() => {
    const subject = `favourite ${id}`;
    if (data?.failure) void showToast("error", data.failure, { subject });
    else if (data) dismissToast(subject);
  }, [data, id]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    form.set("stay", "1");
    keepForm(form, { key, action: "/favourites" });
    submit(form, { method: "post", action: "/favourites" });
  };
  return (
    <form method="post" action="/favourites" onSubmit={send}>
      <input type="hidden" name="productId" value={id} />
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <button
        type="submit"
        name="intent"
        value={isFavourite ? "remove" : "add"}
        className={`${className} heart`}
        aria-pressed={isFavourite}
        aria-label={`Favourite: ${name}`}
        title={isFavourite ? "Remove from favourites" : "Add to favourites"}
      >
        <Icon name="heart" />
      </button>
    </form>
  );
}
