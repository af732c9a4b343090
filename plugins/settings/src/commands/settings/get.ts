import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Layer} from '../../contract.js';
import {requireKnownKey} from '../../require-known-key.js';

interface Value {
  readonly key: string;
  /** Null without a value: JSON has no undefined. */
  readonly value: unknown;
  readonly layer: Layer | null;
}

/** Prints the value of one setting. */
export default class SettingsGet extends KernelCommand {
  static override summary = 'Print the value of a setting.';
  static override description =
    'Prints text, numbers and booleans as they are, lists and objects as JSON. Prints nothing for a ' +
    'setting without a value.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> general.vimMode',
    '<%= config.bin %> <%= command.id %> context.includeDirectories --json',
  ];
  static override args = {
    key: Args.string({description: 'Dotted key, such as ui.theme.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<Value> {
    const {args} = await this.parse(SettingsGet);
    const settings = await this.service('settings');
    const explanation = await settings.explain(args.key);
    await requireKnownKey(explanation, settings);
    const {key, value, winner} = explanation;
    if (value !== undefined) this.log(typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value));
    return {key, value: value ?? null, layer: winner ?? null};
  }
}
