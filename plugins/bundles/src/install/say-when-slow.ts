/**
 * Shows what is running when it takes more than a second; an act that is about to ask the person calls `hush` first.
 */
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
