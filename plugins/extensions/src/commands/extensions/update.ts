import {Args, Flags} from '@oclif/core';
import {isKernelError, KernelError, messageOf} from '@gemini-kernel/kernel';
import {ExtensionCommand} from '../../extension-command.js';
import {findExtension} from '../../find-extension.js';
import type {FoundExtension} from '../../installed/found-extension.js';

interface Updated {
  readonly name: string;
  readonly version: string;
  readonly before?: string;
  readonly error?: {readonly code: string; readonly message: string};
}

export default class ExtensionsUpdate extends ExtensionCommand {
  static override summary = 'Update extensions from where they came from.';
  static override description =
    'Asks only where a new version brings something that you have not agreed to, and shows what is different.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github',
    '<%= config.bin %> <%= command.id %> --all',
  ];
  static override args = {name: Args.string({description: 'Name of the extension.', ignoreStdin: true})};
  static override flags = {
    all: Flags.boolean({description: 'Update every locked extension.'}),
    consent: Flags.boolean({description: 'Agree to what is new without a question.'}),
  };

  async run(): Promise<{readonly extensions: readonly Updated[]}> {
    const {args, flags} = await this.parse(ExtensionsUpdate);
    const all = await (await this.service('extensions')).list();
    const wanted = args.name === undefined ? all : [findExtension(all, args.name)];
    const extensions: Updated[] = [];
    if (args.name === undefined && !flags.all)
      throw new KernelError('EXTENSION_UNKNOWN', 'Name an extension, or give --all.');
    for (const {name, version, state, source} of wanted) {
      if (state !== 'locked') {
        if (args.name !== undefined) this.log(`${name} is ${state}; ${adviceFor(name, state)}.`);
        continue;
      }
      try {
        const installed = await this.install(source, {isAgreed: flags.consent, name});
        this.tellInstalled(installed);
        extensions.push({name, version: installed.version, ...(installed.isSame ? {} : {before: version})});
      } catch (error) {
        // One that fails must not keep the others from being updated.
        if (!flags.all || !isKernelError(error)) throw error;
        this.logToStderr(`${name} was not updated: ${messageOf(error)}`);
        extensions.push({name, version, error: {code: error.code, message: error.message}});
      }
    }
    const failed = extensions.filter(({error}) => error).map(({name}) => name);
    if (failed.length > 0)
      throw new KernelError('EXTENSION_UNREACHABLE', `Not updated: ${failed.join(', ')}.`, {data: {extensions}});
    return {extensions};
  }
}

function adviceFor(name: string, state: FoundExtension['state']): string {
  return state === 'bundled' ? 'its bundle updates it' : `\`gemini extensions adopt ${name}\` locks it`;
}
