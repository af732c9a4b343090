import type {Language} from '../languages/language.js';

/** Of languages that say by name what they take from another file. */
const CLAUSES: Readonly<Record<string, RegExp>> = {
  typescript: /\b(?:import|export)\b([^;'"=]{1,2000}?)\bfrom\s*['"]/g,
  python: /^[ \t]*from[ \t]+\S+[ \t]+import[ \t]+(\([^)]{0,2000}\)|[^\n]{0,500})/gm,
};

const WORD = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;

/** Whether a file of the language says what it imports by name. */
export function saysImports({name}: Language): boolean {
  return clausesOf(name) !== undefined;
}

/** The names in a text that it imports. */
export function importedNames(text: string, {name}: Language): readonly string[] {
  const pattern = clausesOf(name);
  if (!pattern) return [];
  return [...text.matchAll(pattern)].flatMap(([, clause = '']) => clause.match(WORD) ?? []);
}

function clausesOf(name: string): RegExp | undefined {
  return CLAUSES[name === 'tsx' || name === 'javascript' ? 'typescript' : name];
}
