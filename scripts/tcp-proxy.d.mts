export function tcpProxy(port: number): {
  ready: { promise: Promise<object> };
  onReloadComplete: (event: { proxyData: { userWorkerUrl: { hostname: string; port: string } } }) => void;
  teardown: () => Promise<void>;
};
