const MOST_LETTERS = 50;

/** The name of a command by the path of its file below its folder, as Gemini CLI makes it. */
export function commandName(path: readonly string[]): string {
  const words = path.map((word, index) => (index === path.length - 1 ? word.replace(/\.[^.]*$/, '') : word));
  return words.map(cleanWord).join(':');
}

function cleanWord(word: string): string {
  const clean = word.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  return clean.length > MOST_LETTERS ? `${clean.slice(0, MOST_LETTERS - 3)}...` : clean;
}
