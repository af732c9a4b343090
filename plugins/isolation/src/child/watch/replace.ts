type Act = (this: unknown, ...all: unknown[]) => unknown;

interface Ends {
  /** Called with what it was given when it has come to an end, in whatever way. */
  ended(given: readonly unknown[], error: unknown): void;
}

/** Has a function of a module of Node say how it ended: by its value, its promise or its callback. */
export function replace(module: object, name: string, {ended}: Ends): void {
  const holder = module as Record<string, unknown>;
  const own = holder[name];
  if (typeof own !== 'function') return;
  const act = own as Act;
  const told = function (this: unknown, ...all: unknown[]): unknown {
    const last = all.at(-1);
    const isLater = typeof last === 'function';
    const given = isLater
      ? [
          ...all.slice(0, -1),
          (...answer: unknown[]) => {
            ended(all, answer[0]);
            return (last as Act).apply(undefined, answer);
          },
        ]
      : all;
    try {
      const result = act.apply(this, given);
      if (result instanceof Promise)
        result.then(
          () => ended(all, undefined),
          (error: unknown) => ended(all, error),
        );
      else if (!isLater) ended(all, undefined);
      return result;
    } catch (error) {
      ended(all, error);
      throw error;
    }
  };
  // Some carry more, such as the form for promises, or a native one.
  holder[name] = Object.defineProperties(told, Object.getOwnPropertyDescriptors(own));
}

/** Whether the system, or Node before it, did not let code do it. */
export function isRefusal(error: unknown): boolean {
  const {code} = (error ?? {}) as {readonly code?: unknown};
  return ['ERR_ACCESS_DENIED', 'EACCES', 'EPERM', 'EROFS'].includes(String(code));
}
