import { Icon } from "~/ui/Icon";

/** Mark of a product that shoppers do not find, in the back office. */
export const HiddenTag = () => (
  <em className="hidden-tag" title="Shoppers find it nowhere">
    <Icon name="eye-off" className="i s" />
    Hidden
  </em>
);
