/** Whether a text in lower case has all words; `@scope` is for names of that scope. */
export function matchesWords(name: string, searched: string, words: readonly string[]): boolean {
  return words.every((word) => (isScope(word) ? name.startsWith(`${word}/`) : searched.includes(word.toLowerCase())));
}

/** `@acme`, and not `@acme/name`. */
export function isScope(word: string): boolean {
  return /^@[a-z0-9~-][a-z0-9._~-]*$/.test(word);
}
