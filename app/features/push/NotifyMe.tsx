import { type ComponentType, useEffect, useState } from "react";
import type { NotifyMeProps } from "./NotifySwitch";

/** Switch for notifications of answers, which is loaded with the chat that it stands in: a panel without one has no use for it. */
export function NotifyMe(props: NotifyMeProps) {
  const [Switch, setSwitch] = useState<ComponentType<NotifyMeProps> | null>(null);
  useEffect(() => {
    import("./NotifySwitch").then(
      ({ NotifySwitch }) => setSwitch(() => NotifySwitch),
      () => undefined,
    );
  }, []);
  return Switch && <Switch {...props} />;
}
