import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {messageOf} from '@gemini-kernel/kernel';
import type {Task} from '../contract.js';

const NAME = /^([0-9a-f]{6})\.json$/;
const MOST_BYTES = 256 * 1024;

/** A task with the keys that another program keeps in its file. */
export type KeptTask = Task & {readonly created?: string};

/** The files of tasks in one folder, as Gemini CLI has them: one for each task, named by its id. */
export class TaskFiles {
  constructor(readonly folder: string) {}

  /** What is there, and a sentence for each file that is no task. */
  async read(): Promise<{readonly tasks: readonly KeptTask[]; readonly faults: readonly string[]}> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const tasks: KeptTask[] = [];
    const faults: string[] = [];
    for (const name of names.sort()) {
      const [, id] = NAME.exec(name) ?? [];
      if (id === undefined) continue;
      const found = await this.#readOne(name, id);
      if (typeof found === 'string') faults.push(`${join(this.folder, name)} is left out: ${found}.`);
      else tasks.push(found);
    }
    tasks.sort((a, b) => ((a.created ?? '') < (b.created ?? '') ? -1 : 1));
    return {tasks, faults};
  }

  async write(task: KeptTask): Promise<void> {
    await makePrivateFolder(this.folder);
    await writeAtomically(join(this.folder, `${task.id}.json`), `${JSON.stringify(task, undefined, 2)}\n`);
  }

  async #readOne(name: string, id: string): Promise<KeptTask | string> {
    try {
      const found: unknown = JSON.parse(await readText(join(this.folder, name), {limit: MOST_BYTES}));
      return isTask(found) && found.id === id ? found : 'it is not a task with this id';
    } catch (error) {
      return messageOf(error).replace(/\.$/, '');
    }
  }
}

const TYPES: ReadonlySet<unknown> = new Set(['epic', 'task', 'bug']);
const STATUSES: ReadonlySet<unknown> = new Set(['open', 'in_progress', 'blocked', 'closed']);

function isTask(value: unknown): value is KeptTask {
  if (typeof value !== 'object' || value === null) return false;
  const {id, title, description, type, status, parentId, dependencies} = value as Readonly<Record<string, unknown>>;
  const isText = [id, title, description].every((one) => typeof one === 'string');
  const isKnown = TYPES.has(type) && STATUSES.has(status);
  const isPart = parentId === undefined || parentId === null || typeof parentId === 'string';
  return (
    isText && isKnown && isPart && Array.isArray(dependencies) && dependencies.every((one) => typeof one === 'string')
  );
}
