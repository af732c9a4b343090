import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import {baseOf} from '../worktrees/base-of.js';
import type {AgentFile} from './read-agents.js';

/** Which agents of projects a person has agreed to, by the content of their files, where Gemini CLI keeps them. */
export class Acknowledgements {
  readonly file: string;
  readonly #cwd: string;

  constructor(
    {home, cwd}: {readonly home: string; readonly cwd: string},
    private readonly files: Pick<ConfigFiles, 'readJSON' | 'setJSON'>,
  ) {
    this.file = join(home, '.gemini', 'acknowledgments', 'agents.json');
    this.#cwd = cwd;
  }

  /** Digests by the names of agents. Throws KernelError SETTINGS_BROKEN. */
  async read(): Promise<ReadonlyMap<string, unknown>> {
    const all = await this.files.readJSON(this.file);
    const project = await realpath(this.#cwd);
    // A worktree has the agents of the folder that it belongs to.
    const tables = [baseOf(project), project].map((one) => all?.[one]);
    return new Map(tables.flatMap((own) => (typeof own === 'object' && own !== null ? Object.entries(own) : [])));
  }

  async add(agents: readonly AgentFile[]): Promise<void> {
    const project = await realpath(this.#cwd);
    for (const {definition, digest} of agents) await this.files.setJSON(this.file, [project, definition.name], digest);
  }
}
