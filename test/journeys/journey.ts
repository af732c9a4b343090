import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {checkout} from '../helpers/plugin-root.js';

/**
 * One command line of a journey and what must come of it. Texts may hold `<project>`, `<home>` and the journey's own
 * values.
 */
export interface Step {
  readonly argv: readonly string[];
  /** Standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to the project. */
  readonly cwd?: string;
  /** Sends SIGINT once standard error holds this text. */
  readonly interrupt_after?: string;
  readonly exit: number;
  readonly stdout?: string;
  readonly stdout_has?: readonly string[];
  /** Standard output is this one JSON document, or more than it. */
  readonly stdout_json?: object;
  /** Nothing, unless said here or in `stderr_has`. */
  readonly stderr?: string;
  readonly stderr_has?: readonly string[];
}

/** `case.toml`: what a person does with the program, and what it does. */
export interface Journey {
  /** Its folder. */
  readonly name: string;
  readonly title: string;
  /** Ids of test/requirements.ts that it shows. */
  readonly cites: readonly string[];
  /** Folders of test/fixtures/plugins to install before. */
  readonly installed?: readonly string[];
  /** Names listed as installed whose folder is gone. */
  readonly gone?: readonly string[];
  /** Text of the list of installed plugins, in place of a right one. */
  readonly installed_list?: string;
  /** What `<name>` stands for in the steps. */
  readonly values?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

type Written = Omit<Journey, 'name' | 'steps'> & {
  /** A file beside the folders whose steps come first. */
  readonly like?: string;
  readonly steps?: readonly Step[];
};

export const journeysFolder = join(checkout, 'test', 'journeys');

/** Every journey, in the order of their folders. */
export async function readJourneys(): Promise<readonly Journey[]> {
  const entries = await readdir(journeysFolder, {withFileTypes: true});
  const names = entries.filter((entry) => entry.isDirectory()).map(({name}) => name);
  return Promise.all(names.sort().map(readJourney));
}

async function readJourney(name: string): Promise<Journey> {
  const {like, steps = [], ...rest} = await readToml<Written>(join(name, 'case.toml'));
  const shared = like ? (await readToml<{steps: Step[]}>(`${like}.toml`)).steps : [];
  return {...rest, name, steps: [...shared, ...steps]};
}

async function readToml<T>(path: string): Promise<T> {
  return parse(await readFile(join(journeysFolder, path), 'utf8')) as T;
}
