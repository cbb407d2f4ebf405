/** Counts the calls of a service's methods. */
export const countedCalls = <T extends object>(service: T, count: () => void): T =>
  new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        count();
        return Reflect.apply(member, target, values) as unknown;
      };
    },
  });
