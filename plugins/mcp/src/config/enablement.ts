import {join} from 'node:path';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import {isTable} from './is-table.js';

/** Which servers a person has disabled, in the file that Gemini CLI uses too. */
export class Enablement {
  readonly file: string;

  constructor(
    home: string,
    private readonly files: Pick<ConfigFiles, 'readJSON' | 'setJSON'>,
  ) {
    this.file = join(home, '.gemini', 'mcp-server-enablement.json');
  }

  /** Names in lower case. Throws KernelError SETTINGS_BROKEN. */
  async disabled(): Promise<ReadonlySet<string>> {
    const entries = Object.entries((await this.files.readJSON(this.file)) ?? {});
    return new Set(
      entries
        .filter(([, value]) => isTable(value) && value['enabled'] === false)
        .map(([name]) => name.trim().toLowerCase()),
    );
  }

  async set(name: string, isOn: boolean): Promise<void> {
    await this.files.setJSON(this.file, [name.trim().toLowerCase()], isOn ? undefined : {enabled: false});
  }
}
