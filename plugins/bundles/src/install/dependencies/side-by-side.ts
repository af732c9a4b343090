const AT_ONCE = 8;

/** Runs the act for each item, eight at a time. The first error ends it and no further act starts. */
export async function sideBySide<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await act(next);
  };
  try {
    await Promise.all(Array.from({length: Math.min(AT_ONCE, items.length)}, work));
  } finally {
    rest.length = 0;
  }
}
