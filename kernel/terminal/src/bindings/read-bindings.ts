import {isCharacter, readKeyName} from './key-name.js';
import {KeyBindings} from './key-bindings.js';
import {foreignCommands, keyCommands, type KeyCommand} from './key-commands.js';

/** Bindings, and what is wrong with the text they come from. Entries with a fault change nothing. */
export interface ReadBindings {
  readonly bindings: KeyBindings;
  readonly faults: readonly string[];
}

interface Entry {
  readonly key: string;
  readonly command: string;
  readonly isRemoval: boolean;
}

/** Ctrl+C must stop gemini in every terminal. */
const RESERVED = 'ctrl+c';
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[^]*?\*\//gs;
const MOST_ENTRIES = 1000;

/** Reads `keybindings.json`: a list of `{key, command}`; comments are allowed, and `-command` removes a key. */
export function readBindings(text: string): ReadBindings {
  const entries = parse(text);
  if (typeof entries === 'string') return {bindings: new KeyBindings(), faults: [entries]};
  const faults: string[] = [];
  const standard = keyCommands();
  let commands = standard;
  const taken = new Map<string, string>();
  entries.forEach((value, index) => {
    const entry = readEntry(value, standard);
    const fault = typeof entry === 'string' ? entry : findClash(entry, standard, taken);
    if (fault !== undefined) faults.push(`Entry ${index + 1}: ${fault}`);
    else if (typeof entry !== 'string') commands = apply(commands, entry);
  });
  return {bindings: new KeyBindings(commands), faults};
}

function parse(text: string): readonly unknown[] | string {
  let value: unknown;
  try {
    value = JSON.parse(
      text.replace(/^\uFEFF/, '').replace(STRING_OR_COMMENT, (part) => (part[0] === '"' ? part : ' ')),
    );
  } catch (error) {
    return `It is not JSON: ${(error as Error).message}.`;
  }
  if (!Array.isArray(value)) return 'It must be a list of {"key": …, "command": …}.';
  if (value.length > MOST_ENTRIES) return `It has ${value.length} entries; ${MOST_ENTRIES} are possible.`;
  return value;
}

/** An entry, or what is wrong with it. */
function readEntry(value: unknown, known: readonly KeyCommand[]): Entry | string {
  const {key: written, command: said} = (value ?? {}) as {readonly key?: unknown; readonly command?: unknown};
  if (typeof written !== 'string' || typeof said !== 'string') return 'it needs a "key" and a "command", both texts.';
  const isRemoval = said.startsWith('-');
  const command = isRemoval ? said.slice(1) : said;
  const isOurs = known.some(({name}) => name === command);
  if (!isOurs && !foreignCommands.has(command)) return `there is no command "${command}".`;
  const key = readKeyName(written);
  if (key === undefined) return `"${written}" is not a key.`;
  if (key === RESERVED) return 'Ctrl+C always stops; it cannot be bound or removed.';
  const isTyped = known.some(({name, place}) => name === command && place !== 'list');
  if (isTyped && isCharacter(key)) return `"${written}" types a character, so it cannot be bound to ${command}.`;
  return {key, command, isRemoval};
}

/** Two entries of one file must not give one key two meanings in the same place. */
function findClash(
  {key, command, isRemoval}: Entry,
  known: readonly KeyCommand[],
  taken: Map<string, string>,
): string | undefined {
  if (isRemoval) return undefined;
  for (const {place} of known.filter(({name}) => name === command)) {
    const other = taken.get(`${place} ${key}`);
    if (other !== undefined && other !== command) return `"${key}" is already bound to ${other}.`;
    taken.set(`${place} ${key}`, command);
  }
  return undefined;
}

/** Adds or removes a key; in the same places, other commands lose an added key. */
function apply(commands: readonly KeyCommand[], {key, command, isRemoval}: Entry): readonly KeyCommand[] {
  const places = new Set(commands.flatMap(({name, place}) => (name === command ? [place] : [])));
  return commands.map((one) => {
    const isMeant = one.name === command;
    if (!isMeant && (isRemoval || !places.has(one.place))) return one;
    const others = one.keys.filter((each) => each !== key);
    return {...one, keys: isMeant && !isRemoval ? [key, ...others] : others};
  });
}
