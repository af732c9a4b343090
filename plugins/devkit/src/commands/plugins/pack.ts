import {mkdir} from 'node:fs/promises';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {Finding} from '../../check/subject.js';
import type {Packing} from '../../pack-with-npm.js';

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly archive: string;
  readonly size: number;
  readonly integrity: string;
  readonly files: readonly string[];
  readonly signedBy?: string;
  readonly warnings: readonly string[];
}

/** Makes a plugin's archive. */
export default class PluginsPack extends KernelCommand {
  static override summary = 'Build, check and pack a plugin.';
  static override description =
    'Compiles it, writes its manifests, looks it over as plugins check does, and has npm pack it, with scripts ' +
    'off. What check calls an error keeps it from being packed. --sign writes gemini.signature.json into the ' +
    'archive, by which whoever has the public key knows that no file was changed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --sign ~/keys/release.pem --out dist-packages',
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };
  static override flags = {
    sign: Flags.string({description: 'File with an Ed25519 private key, PEM, to sign it with.'}),
    'key-name': Flags.string({
      description: "Name under which others know the public key; the key file's, without its ending, unless given.",
      dependsOn: ['sign'],
    }),
    out: Flags.string({description: 'Folder to put the archive in; otherwise the current one.'}),
  };

  async run(): Promise<Packed> {
    const {args, flags} = await this.parse(PluginsPack);
    const [{preparePlugin}, {writeManifests}, {packPlugin}] = await Promise.all([
      import('../../prepare-plugin.js'),
      import('../../write-manifests.js'),
      import('../../pack-plugin.js'),
    ]);
    const {environment, catalog} = this.kernel;
    const packing = {root: resolve(environment.cwd, args.directory), environment, signal: this.host.signal};
    if (environment.interactive) this.logToStderr('Compiling, looking it over and packing it …');
    await preparePlugin({
      root: packing.root,
      catalog,
      compile: true,
      variables: environment.variables,
      signal: packing.signal,
    });
    const {name, version} = await writeManifests(packing.root);
    const warnings = await this.check(packing, name);
    const out = resolve(environment.cwd, flags.out ?? '.');
    await mkdir(out, {recursive: true});
    const signing =
      flags.sign === undefined
        ? undefined
        : {keyFile: resolve(environment.cwd, flags.sign), keyName: flags['key-name']};
    const {archive, size, integrity, files, signedBy} = await packPlugin(packing, out, signing);
    this.log(`Packed ${name} ${version}: ${archive}`);
    this.log(
      `  ${(size / 1000).toFixed(1)} kB, ${files.length} ` +
        `files${signedBy === undefined ? '' : `, signed with the key ${signedBy}`}`,
    );
    this.log(`  ${integrity}`);
    return {
      name,
      version,
      archive,
      size,
      integrity,
      files: files.map(({path}) => path),
      ...(signedBy === undefined ? {} : {signedBy}),
      warnings,
    };
  }

  /** Gives the warnings. Throws KernelError PACK_REFUSED when there are errors. */
  private async check(packing: Packing, name: string): Promise<readonly string[]> {
    const {checkPlugin} = await import('../../check/check-plugin.js');
    const {findings} = await checkPlugin(packing, this.kernel.catalog);
    const pick = (wanted: Finding['level']): readonly string[] =>
      findings.filter(({level}) => level === wanted).map(({sentence}) => sentence);
    for (const sentence of pick('error')) this.logToStderr(`${this.style('bad', '✗')} ${sentence}`);
    for (const sentence of pick('warning')) this.logToStderr(`${this.style('warn', '!')} ${sentence}`);
    const errors = pick('error').length;
    if (errors > 0)
      throw new KernelError(
        'PACK_REFUSED',
        `${name} is not packed: gemini plugins check finds ${errors} ${errors === 1 ? 'error' : 'errors'} in it.`,
        {hint: 'Mend what it says above.'},
      );
    return pick('warning');
  }
}
