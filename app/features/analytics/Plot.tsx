import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

/** What a chart has room for, CSS pixels. */
export interface PlotSize {
  width: number;
  height: number;
  /** Drawn narrow: fewer names on the axis, a smaller pie. */
  isNarrow: boolean;
}

/** Narrower than this a chart is drawn anew, not made smaller. */
const NARROW = 460;

/** The room that the figure leaves, told to the chart that fills it. */
export function Plot({ children }: { children: (room: PlotSize) => ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<PlotSize | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setRoom({ width, height, isNarrow: width < NARROW });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className="chart-area">
      {room && room.width > 0 && children(room)}
    </div>
  );
}
