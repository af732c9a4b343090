import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import type {HookInfo} from '../contract.js';
import {isTable} from '../is-table.js';

/** Which hooks of projects a person has agreed to, by the content of each. */
export class Acknowledgements {
  readonly file: string;
  readonly #cwd: string;

  constructor(
    {home, cwd}: {readonly home: string; readonly cwd: string},
    private readonly files: Pick<ConfigFiles, 'readJSON' | 'setJSON'>,
  ) {
    this.file = join(home, '.gemini', 'acknowledgments', 'hooks.json');
    this.#cwd = cwd;
  }

  /** Ids of the hooks of this project. Throws KernelError SETTINGS_BROKEN. */
  async read(): Promise<ReadonlySet<string>> {
    const all = await this.files.readJSON(this.file);
    const own = all?.[await realpath(this.#cwd)];
    return new Set(isTable(own) ? Object.keys(own) : []);
  }

  async add(hooks: readonly HookInfo[]): Promise<void> {
    const project = await realpath(this.#cwd);
    for (const {id, event, command} of hooks) await this.files.setJSON(this.file, [project, id], {event, command});
  }
}
