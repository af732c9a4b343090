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

/** Creates the archive of a plugin. */
export default class PluginsPack extends KernelCommand {
  static override summary = 'Build, check and pack a plugin.';
  static override description =
    'Compiles the plugin, writes its manifests, checks it like plugins check, and packs it with npm, with scripts ' +
    'disabled. An error of the check prevents packing. --sign adds gemini.signature.json to the archive, so that ' +
    'anyone with the public key can verify that no file was changed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --sign ~/keys/release.pem --out dist-packages',
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };
  static override flags = {
    sign: Flags.string({description: 'File with an Ed25519 private key (PEM) to sign with.'}),
    'key-name': Flags.string({
      description: "Name of the public key for others; by default the key file's name without its extension.",
      dependsOn: ['sign'],
    }),
    out: Flags.string({description: 'Folder for the archive; by default the current one.'}),
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
    if (environment.interactive) this.logToStderr('Compiling, checking and packing …');
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
        `Did not pack ${name}: gemini plugins check finds ${errors} ${errors === 1 ? 'error' : 'errors'}.`,
        {hint: 'Fix the errors shown above.'},
      );
    return pick('warning');
  }
}
