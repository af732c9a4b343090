import type {Pages} from './pages.js';

const MOST_LINES = 60;
const LONGEST = 300;

/** One line per page: its name, its title and what it is about. */
export function listPages(pages: Pages): string {
  const lines = [...pages].map(([name, text]) => {
    const [title = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '');
    const about = rest.find((line) => /^[A-Za-z`]/.test(line)) ?? '';
    return `- ${name}: ${title.replace(/^#+\s*/, '')}. ${cut(about)}`;
  });
  const first = 'The documentation of this program. Call again with `path` for a page, or `query` for words.';
  return [first, ...lines].join('\n');
}

/** The lines that have all of the words, below the names of their pages; the pages with most of them first. */
export function searchPages(pages: Pages, query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = [...pages].flatMap(([name, text]) => {
    const lines = text.split('\n').flatMap((line, at) => {
      const small = line.toLowerCase();
      return words.every((word) => small.includes(word)) ? [`${name}:${at + 1}: ${cut(line)}`] : [];
    });
    return lines.length === 0 ? [] : [lines];
  });
  const lines = found.sort((a, b) => b.length - a.length).flat();
  if (words.length === 0 || lines.length === 0) return `No line has all of these words: ${words.join(', ')}.`;
  const more = lines.length > MOST_LINES ? `\n… and ${lines.length - MOST_LINES} more: use more words.` : '';
  return `${lines.slice(0, MOST_LINES).join('\n')}${more}`;
}

function cut(line: string): string {
  const text = line.trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
