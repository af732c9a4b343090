interface Described {
  readonly name: string;
  readonly description: string;
}

const NAME_WEIGHT = 3;

/** The tools that a query describes best, the best first: rare words count more, and words of the name most. */
export function rankTools<T extends Described>(tools: readonly T[], query: string, most: number): readonly T[] {
  const wanted = [...new Set(wordsOf(query))];
  const known = tools.map((tool) => ({
    tool,
    name: new Set(wordsOf(tool.name)),
    text: new Set(wordsOf(tool.description)),
  }));
  const weights = wanted.map((word) => {
    const holders = known.filter(({name, text}) => hasWord(name, word) || hasWord(text, word)).length;
    return Math.log(1 + tools.length / (holders + 1));
  });
  return known
    .map(({tool, name, text}) => ({
      tool,
      score: wanted.reduce((sum, word, index) => {
        const weight = weights[index] ?? 0;
        return sum + (hasWord(name, word) ? NAME_WEIGHT * weight : hasWord(text, word) ? weight : 0);
      }, 0),
    }))
    .filter(({score}) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, most)
    .map(({tool}) => tool);
}

/** Words in lower case; `createIssue` and `create_issue` have the same two. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Whether a word, or one that it begins or that begins it, is among these. */
function hasWord(words: ReadonlySet<string>, wanted: string): boolean {
  if (words.has(wanted)) return true;
  if (wanted.length < 4) return false;
  return [...words].some((word) => word.startsWith(wanted) || (word.length > 3 && wanted.startsWith(word)));
}
