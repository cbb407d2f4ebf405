import { Icon } from "~/ui/Icon";
import { AskedProduct } from "../ProductCard";
import type { useAskedProduct } from "./useAskedProduct";

type AskedProductBarProps = Pick<ReturnType<typeof useAskedProduct>, "product" | "isAttached" | "dismiss">;

/** Product that the next message is about; it can be removed until it is attached. */
export function AskedProductBar({ product, isAttached, dismiss }: AskedProductBarProps) {
  if (!product) return null;
  return (
    <AskedProduct product={product}>
      {!isAttached && (
        <button type="button" aria-label={`Don't ask about ${product.name}`} onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
    </AskedProduct>
  );
}
