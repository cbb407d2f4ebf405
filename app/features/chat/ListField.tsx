import { useLocation } from "@remix-run/react";

/** Field with the search and the filters of the console's list, which stay as they are (`urlInList`). */
export const ListField = () => <input type="hidden" name="list" value={useLocation().search} />;
