import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Layer} from '../../contract.js';

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly layer: Layer | null;
}

/** Prints the settings that are set, or all there are. */
export default class SettingsList extends KernelCommand {
  static override summary = 'List settings with their values and the layer each comes from.';
  static override description =
    'Without --all, lists only what a file, a variable or a flag sets. To see every layer of one ' +
    'setting, run `gemini settings explain <key>`.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --all --json',
  ];
  static override flags = {
    all: Flags.boolean({description: 'Every known setting, defaults included.', default: false}),
  };
  static override slash = true;

  async run(): Promise<readonly Row[]> {
    const {flags} = await this.parse(SettingsList);
    const settings = await this.service('settings');
    const explanations = await settings.list({all: flags.all});
    const rows = explanations.map(({key, value, winner}) => ({key, value: value ?? null, layer: winner ?? null}));
    const widths = {key: widest(rows.map(({key}) => key)), layer: widest(rows.map(({layer}) => layer ?? '-'))};
    for (const {key, value, layer} of rows) {
      const shown = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
      this.log(
        `${key.padEnd(widths.key)}  ${this.style('dim', (layer ?? '-').padEnd(widths.layer))}  ${shown}`.trimEnd(),
      );
    }
    if (rows.length === 0)
      this.log('Nothing is set; all settings have their defaults. gemini settings list --all shows them.');
    return rows;
  }
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({length}) => length));
}
