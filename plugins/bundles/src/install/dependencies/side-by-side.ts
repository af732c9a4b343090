const AT_ONCE = 8;

/** Does the same with each, eight at once; what one throws ends it, and no other is begun. */
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
