import {readText} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {CommandFault, CommandListing, CustomCommand, SearchedFolder, ShellKind} from '../contract.js';
import {commandName} from './command-name.js';
import {findFiles, type FoundFile, type FoundFiles} from './find-files.js';
import {parseFile, type Described} from './parse-file.js';

const MOST_COMMANDS = 1000;
const MOST_BYTES = 1 << 20;

interface Known {
  readonly stamp: string;
  readonly read: Described | CommandFault;
}

/** The commands of some folders. Files are read when they are new or have changed. */
export class CommandFiles {
  #known = new Map<string, Known>();
  #state: string | undefined;
  #listing: CommandListing = {version: 0, folders: [], commands: [], faults: []};
  /** One listing at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly shell: ShellKind) {}

  /** Reads every file again with the next list. */
  forget(): void {
    this.#known = new Map();
    this.#state = undefined;
  }

  list(folders: readonly SearchedFolder[]): Promise<CommandListing> {
    const listing = this.#last.then(() => this.#list(folders));
    this.#last = listing.catch(() => undefined);
    return listing;
  }

  async #list(folders: readonly SearchedFolder[]): Promise<CommandListing> {
    const found = folders.map((searched) => ({
      searched,
      ...(searched.leftOut === undefined ? findFiles(searched.folder, '.toml') : {files: [], faults: []}),
    }));
    const state = JSON.stringify(found);
    if (state !== this.#state) {
      const {version} = this.#listing;
      this.#listing = {version: version + 1, folders, ...(await this.#read(found))};
      this.#state = state;
    }
    return this.#listing;
  }

  async #read(
    found: readonly (FoundFiles & {readonly searched: SearchedFolder})[],
  ): Promise<Pick<CommandListing, 'commands' | 'faults'>> {
    const all = found.flatMap(({searched, files}) => files.map((file) => ({...file, searched})));
    const faults = found.flatMap((one) => one.faults);
    const [first] = all.slice(MOST_COMMANDS);
    if (first)
      faults.push({
        file: first.file,
        kind: 'skipped',
        reason: `${first.file} and all files after it were skipped: there are more than ${MOST_COMMANDS} commands.`,
      });
    const known = new Map<string, Known>();
    const commands: CustomCommand[] = [];
    for (const {searched, ...file} of all.slice(0, MOST_COMMANDS)) {
      const before = known.get(file.file) ?? this.#known.get(file.file);
      const read = before?.stamp === file.stamp ? before.read : await this.#readFile(file);
      known.set(file.file, {stamp: file.stamp, read});
      if ('kind' in read) faults.push(read);
      else commands.push(describe(file, searched, read));
    }
    this.#known = known;
    return {commands, faults};
  }

  async #readFile({file}: FoundFile): Promise<Described | CommandFault> {
    try {
      return await parseFile(file, await readText(file, {limit: MOST_BYTES}), this.shell);
    } catch (error) {
      const reason = `${file} was skipped: ${messageOf(error).replace(/\.$/, '')}.`;
      return {file, kind: 'skipped', reason};
    }
  }
}

function describe({file, path}: FoundFile, {origin}: SearchedFolder, {description, ...read}: Described): CustomCommand {
  const mark = origin.kind === 'extension' ? `[${origin.name ?? ''}] ` : '';
  return {
    id: [origin.kind, origin.name ?? '', file].join(':'),
    name: commandName(path),
    description: `${mark}${description}`,
    file,
    origin,
    ...read,
  };
}
