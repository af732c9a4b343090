import {sep} from 'node:path';
import {isTable} from './is-table.js';

/** What the variables of an extension stand for. */
export interface Variables {
  readonly extensionPath: string;
  readonly workspacePath: string;
  /** Values of its settings, then the person's variables; undefined leaves the text as it is. */
  valueOf(name: string): string | undefined;
}

/** Names that the program itself needs as its keys: no extension gets them into a server or an address. */
const OWN_KEYS = /^(?:GEMINI|GOOGLE|OPENAI)_.*(?:KEY|TOKEN|CREDENTIALS)/i;
/** Whether a variable holds a key of the program itself, which no extension gets. */
export function isOwnKey(name: string): boolean {
  return OWN_KEYS.test(name);
}

/** `$NAME`, `${NAME}` and `${NAME:-default}`. */
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^}]*))?\})/g;

/** Every text in a value with its variables filled in; unknown ones stay as they are written. */
export function fillVariables<T>(value: T, variables: Variables): T {
  return fill(value, variables) as T;
}

function fill(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fillText(value, variables);
  if (Array.isArray(value)) return value.map((one) => fill(one, variables));
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, variables)]));
}

/** Values are not looked at again: what a variable holds is never a variable. */
function fillText(text: string, {extensionPath, workspacePath, valueOf}: Variables): string {
  const places: Readonly<Record<string, string>> = {extensionPath, workspacePath, '/': sep, pathSeparator: sep};
  return text.replace(/\$\{(extensionPath|workspacePath|\/|pathSeparator)\}|\$(?:[A-Za-z_]\w*|\{[^}]*\})/g, (found) => {
    const place = places[found.slice(2, -1)];
    if (place !== undefined && found.startsWith('${')) return place;
    const [, bare, braced, standard] = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^}]*))?\})$/.exec(found) ?? [];
    const name = bare ?? braced;
    if (name === undefined || isOwnKey(name)) return found;
    return valueOf(name) ?? standard ?? found;
  });
}

/** The person's variables that a value reads, apart from those of its places. */
export function variablesOf(value: unknown): readonly string[] {
  const text = JSON.stringify(value) ?? '';
  const names = [...text.matchAll(VARIABLE)].map(([, bare, braced]) => bare ?? braced ?? '');
  return [...new Set(names)]
    .filter((name) => !['extensionPath', 'workspacePath', 'pathSeparator'].includes(name))
    .sort();
}
