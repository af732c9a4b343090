import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionSetting} from '../../contract.js';
import {findExtension} from '../../find-extension.js';
import {SettingValues} from '../../installed/setting-values.js';
import {PipedAnswers} from '../../store/piped-answers.js';

interface Kept {
  readonly name: string;
  readonly file: string;
  /** Without the values of secret settings. */
  readonly settings: readonly (ExtensionSetting & {readonly isSet: boolean; readonly value?: string})[];
}

export default class ExtensionsConfig extends KernelCommand {
  static override summary = 'Give an extension the values that it asks for.';
  static override description =
    'Without a setting, asks for all that are missing. The value of one setting can be piped in, as one line. Values ' +
    'are variables of the MCP servers and hooks of the extension. They are kept in a file that only you can ' +
    'read. Those of secret settings are encrypted; the key is in the keychain of the system where there is one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github',
    '<%= config.bin %> <%= command.id %> github GITHUB_HOST --value github.example.com',
    '<%= config.bin %> <%= command.id %> github GITHUB_TOKEN < token.txt',
    '<%= config.bin %> <%= command.id %> github GITHUB_HOST --unset',
  ];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
    setting: Args.string({description: 'The only setting: its name, or its variable.', ignoreStdin: true}),
  };
  static override flags = {
    value: Flags.string({description: 'The value. A secret is better typed at the question, or piped in.'}),
    unset: Flags.boolean({description: 'Remove the value.', exclusive: ['value']}),
  };

  async run(): Promise<Kept> {
    const {args, flags} = await this.parse(ExtensionsConfig);
    const found = findExtension(await (await this.service('extensions')).list(), args.name);
    const {name, brings} = found;
    const all = brings?.settings ?? [];
    const chosen = this.choose(name, all, args.setting);
    const values = new SettingValues(this.kernel.environment);
    if (args.setting !== undefined || flags.value !== undefined || flags.unset)
      await this.change(name, args.setting === undefined ? undefined : chosen[0], flags);
    else await this.askForEach(name, chosen, (await values.read(found, all)).values);
    const {values: now, fault} = await values.read(found, all);
    if (fault !== undefined) this.logToStderr(`What Gemini CLI keeps of it cannot be read: ${fault}.`);
    const settings = all.map((one) => describe(one, now[one.envVar]));
    for (const {name: label, envVar, isSet, value} of settings)
      this.log(`${label} (${envVar}): ${value ?? (isSet ? 'set' : 'not set')}`);
    if (all.length === 0) this.log(`${name} asks for no values.`);
    return {name, file: values.fileOf(name), settings};
  }

  private choose(
    name: string,
    all: readonly ExtensionSetting[],
    wanted: string | undefined,
  ): readonly ExtensionSetting[] {
    if (wanted === undefined) return all;
    const chosen = all.filter((one) => isCalled(one, wanted));
    if (chosen.length === 0) throw unknown(name, wanted, all);
    return chosen;
  }

  private async change(
    name: string,
    setting: ExtensionSetting | undefined,
    {value, unset}: {readonly value?: string | undefined; readonly unset: boolean},
  ): Promise<void> {
    if (value !== undefined || unset) await this.keep(name, setting, value);
    else if (setting && this.isPiped()) await this.keep(name, setting, await this.readPiped(setting));
    else if (setting) await this.askFor(name, setting);
  }

  private async keep(name: string, setting: ExtensionSetting | undefined, value: string | undefined): Promise<void> {
    if (!setting) throw new KernelError('EXTENSION_UNKNOWN', 'Name the setting that --value or --unset is about.');
    await new SettingValues(this.kernel.environment).set(name, setting, value);
  }

  private isPiped(): boolean {
    return !(this.host.input as Partial<NodeJS.ReadStream>).isTTY;
  }

  /** The line on standard input: what a script keeps off the command line, where every process could read it. */
  private async readPiped({envVar}: ExtensionSetting): Promise<string> {
    const piped = new PipedAnswers(this.host.input);
    try {
      const line = await piped.next(this.host.signal);
      if (line) return line;
    } finally {
      piped.close();
    }
    throw new KernelError('EXTENSION_VALUE_MISSING', `Standard input has no line with a value for ${envVar}.`, {
      hint: `Pipe it in (\`… < file\`), pass --value, or run the command at a terminal to be asked.`,
    });
  }

  private async askForEach(
    name: string,
    settings: readonly ExtensionSetting[],
    known: Readonly<Record<string, string>>,
  ): Promise<void> {
    for (const one of settings) if (known[one.envVar] === undefined) await this.askFor(name, one);
  }

  private async askFor(extension: string, {name, description, envVar, isSecret}: ExtensionSetting): Promise<void> {
    const answer = await this.ask({
      title: `The extension ${extension} asks for ${name}.`,
      ...(description === '' ? {} : {text: description}),
      about: {kind: 'extension-setting', extension, variable: envVar},
      fields: [{name: 'value', label: name, kind: isSecret ? 'secret' : 'text', default: ''}],
    });
    const value = answer.outcome === 'answered' ? answer.values['value'] : undefined;
    if (typeof value === 'string' && value !== '')
      await new SettingValues(this.kernel.environment).set(extension, {envVar, isSecret}, value);
  }
}

function isCalled({name, envVar}: ExtensionSetting, wanted: string): boolean {
  return envVar === wanted || name.toLowerCase() === wanted.toLowerCase();
}

function describe(setting: ExtensionSetting, value: string | undefined): Kept['settings'][number] {
  const shown = value === undefined || setting.isSecret ? {} : {value};
  return {...setting, isSet: value !== undefined, ...shown};
}

function unknown(name: string, wanted: string, all: readonly ExtensionSetting[]): KernelError {
  return new KernelError(
    'EXTENSION_UNKNOWN',
    `The extension "${name}" asks for nothing called ${JSON.stringify(wanted)}.`,
    {
      hint: all.length === 0 ? 'It asks for no values.' : `It asks for: ${all.map(({envVar}) => envVar).join(', ')}.`,
    },
  );
}
