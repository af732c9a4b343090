/** What a robots file says about one program (RFC 9309). */
export interface RobotsRules {
  /** Whether the program may fetch this path with its query. */
  permits(path: string): boolean;
}

interface Rule {
  readonly isAllowed: boolean;
  /** The parts of a pattern between its stars. */
  readonly parts: readonly string[];
  readonly isWhole: boolean;
  readonly length: number;
}

const MOST_LINES = 10_000;

/** Reads a robots file for a program; the groups of its name count, and without one those for all. */
export function readRobots(text: string, program: string): RobotsRules {
  const groups = groupsOf(text);
  const own = groups.filter(({names}) => names.includes(program));
  const rules = (own.length > 0 ? own : groups.filter(({names}) => names.includes('*'))).flatMap(
    (group) => group.rules,
  );
  // The longest pattern counts; of two as long, the one that allows.
  const ranked = [...rules].sort((a, b) => b.length - a.length || Number(b.isAllowed) - Number(a.isAllowed));
  return {permits: (path) => ranked.find((rule) => matches(rule, path))?.isAllowed ?? true};
}

interface Group {
  readonly names: string[];
  readonly rules: Rule[];
}

function groupsOf(text: string): readonly Group[] {
  const groups: Group[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/, MOST_LINES)) {
    const [, field = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    addLine(groups, field.toLowerCase(), value.trim());
  }
  return groups;
}

function addLine(groups: Group[], field: string, value: string): void {
  const last = groups.at(-1);
  if (field === 'user-agent') {
    // Names that follow each other share the rules behind them.
    if (last?.rules.length === 0) last.names.push(value.toLowerCase());
    else groups.push({names: [value.toLowerCase()], rules: []});
    // An empty pattern forbids nothing.
  } else if ((field === 'allow' || field === 'disallow') && value !== '')
    last?.rules.push(ruleOf(field === 'allow', value));
}

function ruleOf(isAllowed: boolean, pattern: string): Rule {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*').map(normalise);
  return {isAllowed, parts, isWhole, length: pattern.length};
}

/** One after the other, from the left: no pattern takes longer than its length times that of the path. */
function matches({parts: [first = '', ...rest], isWhole}: Rule, given: string): boolean {
  const path = normalise(given);
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (isWhole && index === rest.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}

/** The same spelling of characters that a path may have in two. */
function normalise(path: string): string {
  return path
    .replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    });
}
