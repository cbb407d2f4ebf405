import { Component, type ReactNode } from "react";

interface GuardState {
  isBroken: boolean;
}

/** Keeps the page when what draws charts never arrives: the figures stand in the table. */
export class ChartGuard extends Component<{ children: ReactNode }, GuardState> {
  override state: GuardState = { isBroken: false };

  static getDerivedStateFromError(): GuardState {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <p className="nothing">The chart could not be drawn. Its figures are in the table below.</p>;
  }
}
