/** Says what goes on when it takes more than a second; an act that begins to ask somebody calls `hush` first. */
export async function sayWhenSlow<T>(
  tell: (sentence: string) => void,
  sentence: string,
  act: (hush: () => void) => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => tell(sentence), 1000);
  try {
    return await act(() => clearTimeout(timer));
  } finally {
    clearTimeout(timer);
  }
}
