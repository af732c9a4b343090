import {existsSync} from 'node:fs';
import {chmod, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {isAbsent, makePrivateFolder, readTextSync} from '@gemini-kernel/files';
import type {SealedFile} from '@gemini-kernel/files/sealed';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import type {ExtensionSetting} from '../contract.js';
import type {FoundExtension} from './found-extension.js';

type Values = Readonly<Record<string, string>>;
type Setting = Pick<ExtensionSetting, 'envVar' | 'isSecret'>;
/** The extension that values are of. */
type Owner = Pick<FoundExtension, 'name' | 'folder' | 'source' | 'state'>;

/** The values of an extension. */
export interface ReadValues {
  readonly values: Values;
  /** Why secrets that Gemini CLI may keep are not known, as a clause. */
  readonly fault?: string;
}

/**
 * Values that a person gave for the settings of extensions: one file for each extension, and one encrypted file for
 * the secrets of all. Both are for their owner only.
 */
export class SettingValues {
  constructor(private readonly environment: Pick<Environment, 'cwd' | 'home' | 'platform' | 'variables'>) {}

  fileOf(name: string): string {
    return join(this.environment.home, '.gemini', 'extension-settings', `${name}.env`);
  }

  get secretsFile(): string {
    return join(this.environment.home, '.gemini', 'extension-secrets.json');
  }

  /**
   * What is kept here, and for an extension that Gemini CLI installed, what it keeps. Throws KernelError
   * EXTENSION_SECRETS_BROKEN when it has secrets that cannot be read.
   */
  async read(owner: Owner, settings: readonly Setting[]): Promise<ReadValues> {
    const own = {...this.readPlain(owner.name, owner.folder), ...(await this.#readSecrets(owner.name, settings))};
    const missing = settings.filter(({isSecret, envVar}) => isSecret && own[envVar] === undefined);
    const isTheirs = owner.state === 'unlocked' || owner.state === 'linked';
    if (!isTheirs || missing.length === 0) return {values: own};
    // A program is asked for each of them, so only where one is missing.
    const {findGeminiSecrets} = await import('./gemini-secrets.js');
    const names = missing.map(({envVar}) => envVar);
    const {values, ...rest} = await findGeminiSecrets(owner, names, this.environment);
    return {values: {...own, ...values}, ...rest};
  }

  /** What is kept without encryption. */
  readPlain(name: string, folder: string): Values {
    return {...readValues(join(folder, '.env')), ...readValues(this.fileOf(name))};
  }

  /** Keeps a value; undefined removes it. A secret is kept encrypted only. */
  async set(name: string, {envVar, isSecret}: Setting, value: string | undefined): Promise<void> {
    if (isSecret && (value !== undefined || existsSync(this.secretsFile)))
      await (
        await this.#secrets()
      ).update(({[name]: own = {}, ...others}) => {
        const kept = {...own, ...(value === undefined ? {} : {[envVar]: value})};
        if (value === undefined) delete kept[envVar];
        return Object.keys(kept).length === 0 ? others : {...others, [name]: kept};
      });
    const {[envVar]: before, ...others} = readValues(this.fileOf(name));
    if (isSecret && before === undefined) return;
    await this.#writePlain(name, isSecret || value === undefined ? others : {...others, [envVar]: value});
  }

  /** Removes everything that is kept of an extension: another one may get its name. */
  async forget(name: string): Promise<void> {
    await rm(this.fileOf(name), {force: true});
    if (existsSync(this.secretsFile)) await (await this.#secrets()).update(({[name]: _, ...others}) => others);
  }

  async #readSecrets(name: string, settings: readonly Setting[]): Promise<Values> {
    if (!settings.some(({isSecret}) => isSecret) || !existsSync(this.secretsFile)) return {};
    return (await (await this.#secrets()).read())[name] ?? {};
  }

  async #writePlain(name: string, values: Values): Promise<void> {
    await makePrivateFolder(join(this.environment.home, '.gemini', 'extension-settings'));
    const lines = Object.entries(values).map(([key, one]) => `${key}=${JSON.stringify(one)}\n`);
    await writeAtomically(this.fileOf(name), lines.join(''));
    await chmod(this.fileOf(name), 0o600);
  }

  /** Loads what encrypts only where there is something to encrypt. */
  async #secrets(): Promise<SealedFile<Values>> {
    const {findKeychain, MasterKey, SealedFile: Sealed} = await import('@gemini-kernel/files/sealed');
    const file = this.secretsFile;
    return new Sealed({
      file,
      key: new MasterKey(this.environment.home, findKeychain(this.environment)),
      broken: (cause) =>
        new KernelError(
          'EXTENSION_SECRETS_BROKEN',
          `Cannot read the secrets of extensions in ${file}: ${messageOf(cause).replace(/\.$/, '')}.`,
          {hint: 'Move the file away, then give the values again with `gemini extensions config <name>`.', cause},
        ),
      busy: (path, pid) =>
        new KernelError('EXTENSION_SECRETS_BROKEN', `Another process (${pid}) keeps ${path} locked.`, {
          hint: 'Wait for it to end, then try again.',
        }),
    });
  }
}

function readValues(file: string): Values {
  const text = readOrNothing(file);
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name === '' ? [] : [[name, unquote(value)]];
    }),
  );
}

function readOrNothing(file: string): string {
  try {
    return isAbsent(file) ? '' : readTextSync(file);
  } catch {
    // Without its values an extension has none; what it lacks is named by `gemini extensions list`.
    return '';
  }
}

function unquote(value: string): string {
  if (value.startsWith('"') && value.endsWith('"') && value.length > 1) {
    try {
      return String(JSON.parse(value));
    } catch {
      return value.slice(1, -1);
    }
  }
  return value.startsWith("'") && value.endsWith("'") && value.length > 1 ? value.slice(1, -1) : value;
}
