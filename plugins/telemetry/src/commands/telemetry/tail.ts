import {setTimeout as wait} from 'node:timers/promises';
import {KernelCommand} from '@gemini-kernel/command';
import {isFileFault} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {Args, Flags} from '@oclif/core';
import {FileEnd} from '../../read/file-end.js';
import {parseRecords, type ReadRecord} from '../../read/parse-records.js';

const LOOK_MS = 300;

export default class TelemetryTail extends KernelCommand {
  static override summary = 'Show the newest records of a file of telemetry, one a line.';
  static override description = 'It reads both layouts of telemetry.outfile.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> -n 50 --follow',
    '<%= config.bin %> <%= command.id %> telemetry.log --json',
  ];
  static override args = {
    file: Args.string({description: 'The file. Default: that of telemetry.outfile.', ignoreStdin: true}),
  };
  static override flags = {
    lines: Flags.integer({char: 'n', min: 0, default: 20, description: 'How many records.'}),
    follow: Flags.boolean({char: 'f', description: 'Show what is added until you press Ctrl+C.', exclusive: ['json']}),
  };

  async run(): Promise<{readonly file: string; readonly records: readonly ReadRecord[]}> {
    const {args, flags} = await this.parse(TelemetryTail);
    const file = args.file ?? (await this.#findFile());
    const end = new FileEnd(file);
    const {records: all, rest} = await this.#read(end, '');
    const records = flags.lines === 0 ? [] : byTime(all).slice(-flags.lines);
    for (const record of records) this.#show(record);
    if (records.length === 0 && !flags.follow) this.log(`${file} has no records yet.`);
    if (flags.follow) await this.#follow(end, rest);
    return {file, records};
  }

  async #findFile(): Promise<string> {
    const {to, protocol} = await (await this.service('telemetry')).status();
    if (protocol === 'file' && to !== undefined) return to;
    throw new KernelError('TELEMETRY_NO_FILE', 'Telemetry is not written to a file.', {
      hint: 'Name a file, or set one: gemini settings set telemetry.outfile ~/telemetry.log',
    });
  }

  async #read(end: FileEnd, before: string): Promise<ReturnType<typeof parseRecords>> {
    try {
      return parseRecords(before + (await end.read()));
    } catch (error) {
      const isSystems = isFileFault(error) || (error instanceof Error && 'code' in error);
      if (!isSystems) throw error;
      throw new KernelError('TELEMETRY_NO_FILE', `The file cannot be read: ${messageOf(error)}.`, {
        hint: 'The file is made when the first record is written. gemini telemetry status says where.',
      });
    }
  }

  /** Until a signal ends the program. */
  async #follow(end: FileEnd, before: string): Promise<never> {
    let rest = before;
    for (;;) {
      await wait(LOOK_MS);
      const added = await this.#read(end, rest);
      rest = added.rest;
      for (const record of byTime(added.records)) this.#show(record);
    }
  }

  #show({time, kind, name, text}: ReadRecord): void {
    const clock = time.slice(11, 23) || ' '.repeat(12);
    this.log(`${this.style('dim', clock)} ${kind.padEnd(7)} ${this.style('strong', name)} ${this.style('dim', text)}`);
  }
}

/** In the order in which they began; a batch has its spans first. Metrics have no time, and come last. */
function byTime(records: readonly ReadRecord[]): readonly ReadRecord[] {
  return [...records].sort((a, b) =>
    a.time === b.time ? 0 : a.time === '' || (b.time !== '' && a.time > b.time) ? 1 : -1,
  );
}
