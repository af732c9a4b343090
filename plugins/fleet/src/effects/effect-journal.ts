import {join} from 'node:path';
import type {FileHandle} from 'node:fs/promises';
import {openToAppend, readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {ifMissing} from '../queue/if-missing.js';

/**
 * `begun`: it may have happened. `uncertain`: the process ended meanwhile, and what is outside cannot be asked: it is
 * not tried again.
 */
export type EffectState = 'begun' | 'done' | 'failed' | 'uncertain';

export interface EffectRecord {
  /** Of the task, the place in the plan, and what came of the task. */
  readonly key: string;
  readonly task: string;
  readonly name: string;
  readonly state: EffectState;
  readonly message?: string;
}

const FILE = 'effects.jsonl';
const LARGEST = 256 * 2 ** 20;

/** What was done outside. The owner of the queue writes it, and each line is safe before the next step. */
export class EffectJournal {
  private constructor(
    private readonly file: string,
    private readonly records: Map<string, EffectRecord>,
    private readonly handle: FileHandle,
  ) {}

  /** Throws KernelError FLEET_UNREADABLE, FLEET_UNWRITABLE. */
  static async open(folder: string): Promise<EffectJournal> {
    const file = join(folder, FILE);
    const {records, size} = await read(file);
    try {
      const handle = await openToAppend(file);
      await handle.truncate(size);
      return new EffectJournal(file, records, handle);
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /** What others see of it. */
  static async look(folder: string): Promise<readonly EffectRecord[]> {
    return [...(await read(join(folder, FILE))).records.values()];
  }

  find(key: string): EffectRecord | undefined {
    return this.records.get(key);
  }

  async add(record: EffectRecord): Promise<void> {
    try {
      await this.handle.writeFile(`${JSON.stringify(record)}\n`);
      await this.handle.datasync();
    } catch (error) {
      throw unwritable(this.file, error);
    }
    this.records.set(record.key, record);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

export function describeEffect({state, name, task, message}: EffectRecord): string {
  return `${state.padEnd(9)} ${task.slice(0, 12)}  ${name}${message === undefined ? '' : `: ${message}`}`;
}

async function read(file: string): Promise<{readonly records: Map<string, EffectRecord>; readonly size: number}> {
  try {
    const text = (await readText(file, {limit: LARGEST}).catch(ifMissing)) ?? '';
    // A line that was cut off was not acted on yet.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = whole.split('\n').filter((line) => line !== '');
    const records = lines.map((line) => JSON.parse(line) as EffectRecord);
    return {records: new Map(records.map((one) => [one.key, one])), size: Buffer.byteLength(whole)};
  } catch (cause) {
    throw new KernelError('FLEET_UNREADABLE', `Cannot read ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'It says what was pushed and run. Repair it before the fleet continues.',
    });
  }
}

function unwritable(file: string, cause: unknown): KernelError {
  return new KernelError('FLEET_UNWRITABLE', `Cannot write to ${file}: ${messageOf(cause)}`, {
    cause,
    hint: 'Make room on the disk, then run the same command again. Nothing outside is done twice.',
  });
}
