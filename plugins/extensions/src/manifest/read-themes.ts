import type {ExtensionTheme} from '../contract.js';
import {isTable} from './is-table.js';

/** The themes of a manifest that can be chosen, and why others cannot, as clauses. */
export interface ReadThemes {
  readonly themes: readonly ExtensionTheme[];
  readonly themeFaults: readonly string[];
}

const LONGEST_NAME = 100;

/** Reads `themes` of a manifest. A theme that cannot be chosen costs no other: colours guard nothing. */
export function readThemes(value: unknown = []): ReadThemes {
  if (!Array.isArray(value)) return {themes: [], themeFaults: ['its themes must be a list']};
  const themes = new Map<string, ExtensionTheme>();
  const themeFaults: string[] = [];
  for (const [index, one] of (value as readonly unknown[]).entries()) {
    const {name, ...colours} = isTable(one) ? one : {};
    const at = `its themes[${index}]`;
    if (!isTable(one)) themeFaults.push(`${at} must be an object, not ${JSON.stringify(one)}`);
    else if (!isName(name)) themeFaults.push(`${at} must have a name of one line, not ${JSON.stringify(name)}`);
    else if (themes.has(name)) themeFaults.push(`${at} has the name ${JSON.stringify(name)}, as one before it`);
    else themes.set(name, {name, colours});
  }
  return {themes: [...themes.values()], themeFaults};
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name.trim() !== '' && name.length <= LONGEST_NAME && !/\p{Cc}/u.test(name);
}
