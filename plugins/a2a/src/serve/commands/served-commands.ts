import type {Catalog} from '@gemini-kernel/kernel/host';

/** A command that callers can run. */
export interface ServedCommand {
  readonly name: string;
  /** The words of the command behind it. */
  readonly words: readonly string[];
  readonly description: string;
}

/** What Gemini CLI serves of this kind. Only commands that read: a task is the way to change something. */
const SERVED: readonly ServedCommand[] = [
  {name: 'extensions', words: ['extensions', 'list'], description: 'Lists the extensions that are installed.'},
  {name: 'extensions list', words: ['extensions', 'list'], description: 'Lists the extensions that are installed.'},
  {name: 'memory', words: ['memory', 'show'], description: 'Shows the context that every task begins with.'},
  {name: 'memory show', words: ['memory', 'show'], description: 'Shows the context that every task begins with.'},
  {name: 'memory list', words: ['memory', 'list'], description: 'Lists the context files.'},
  {name: 'memory refresh', words: ['memory', 'reload'], description: 'Reads the context files again.'},
  {name: 'skills', words: ['skills', 'list'], description: 'Lists the skills that are installed.'},
  {name: 'skills list', words: ['skills', 'list'], description: 'Lists the skills that are installed.'},
];

/** The commands of this list that are installed. */
export function findServed({commands}: Pick<Catalog, 'commands'>): readonly ServedCommand[] {
  return SERVED.filter(({words}) => commands.has(words.join(':')));
}

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly never[];
  readonly subCommands: readonly Listed[];
}

/** Commands of one word, each with those below it. */
export function listServed(catalog: Pick<Catalog, 'commands'>): readonly Listed[] {
  const served = findServed(catalog);
  const list = ({name, description}: ServedCommand): Listed => ({
    ...{name, description, arguments: []},
    subCommands: served.filter((one) => one.name.startsWith(`${name} `)).map(list),
  });
  return served.filter(({name}) => !name.includes(' ')).map(list);
}
