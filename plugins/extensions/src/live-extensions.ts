import {dirname} from 'node:path';
import {isKernelError, type Notice, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/admission/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {ActiveExtension, ExtensionInfo, Extensions} from './contract.js';
import {Enablement} from './installed/enablement.js';
import {findExtensions} from './installed/find-extensions.js';
import type {FoundExtension} from './installed/found-extension.js';
import {judgeExtensions} from './installed/judge-extensions.js';
import {SettingValues, type ReadValues} from './installed/setting-values.js';
import {describeBrought} from './manifest/describe-brought.js';
import {fillVariables} from './manifest/fill-variables.js';
import {findContextFiles} from './manifest/find-context-files.js';
import type {Manifest} from './manifest/read-manifest.js';
import {ExtensionLock} from './store/extension-lock.js';

type Context = Pick<ServiceContext, 'environment' | 'names' | 'service' | 'tell'>;

/** Reasons that a person did not choose, and should hear of. */
const TOLD: ReadonlySet<string> = new Set(['admin', 'broken', 'changed', 'expired', 'unsafe']);

/** The extensions of a place. What is active is settled once: sessions of a place see the same. */
export class LiveExtensions implements Extensions {
  #active: Promise<readonly ActiveExtension[]> | undefined;

  constructor(private readonly context: Context) {}

  async list(): Promise<readonly ExtensionInfo[]> {
    return Promise.all(
      (await this.#judged()).map(
        async ({name, folder, source, state, isManaged, manifest, unused}): Promise<ExtensionInfo> => ({
          name,
          version: manifest?.version ?? 'unknown',
          ...(manifest?.description === undefined ? {} : {description: manifest.description}),
          folder,
          source,
          state,
          ...(isManaged ? {isManaged} : {}),
          ...(manifest ? {brings: await describeBrought(folder, manifest)} : {}),
          ...(unused ? {unused} : {}),
        }),
      ),
    );
  }

  active(): Promise<readonly ActiveExtension[]> {
    return (this.#active ??= this.#judged().then(async (found) => {
      for (const {unused} of found)
        if (unused && TOLD.has(unused.reason)) this.#tell({code: 'EXTENSION_LEFT_OUT', sentence: unused.sentence});
      const used = found.filter(({unused}) => unused === undefined);
      return Promise.all(used.flatMap((one) => (one.manifest ? [this.#activate(one, one.manifest)] : [])));
    }));
  }

  async #judged(): Promise<readonly FoundExtension[]> {
    const {environment, service, names} = this.context;
    const {home, cwd, cacheDir} = environment;
    const lock = names('installs').length > 0 ? await openLock(this.context) : undefined;
    const bundles = names('bundles').length > 0 ? await (await service('bundles')).list() : [];
    const found = await findExtensions({home, cacheDir, bundles, ...(lock ? {lock} : {})});
    if (found.length === 0) return [];
    const enablement = new Enablement(home, await service('config-files'));
    return judgeExtensions(found, await service('settings'), {cwd, isEnabled: await enablement.reader()});
  }

  async #activate(found: FoundExtension, manifest: Manifest): Promise<ActiveExtension> {
    const {cwd, variables} = this.context.environment;
    const {name, folder, isManaged} = found;
    const {values, fault} = await this.#valuesOf(found, manifest);
    const missing = manifest.settings.filter(({envVar}) => (values[envVar] ?? variables[envVar]) === undefined);
    if (missing.length > 0)
      this.#tell({
        code: 'EXTENSION_SETTING_MISSING',
        sentence:
          `The extension "${name}" has no value for ${missing.map((one) => one.name).join(', ')}. ` +
          `Set it with \`gemini extensions config ${name}\`.` +
          (fault === undefined ? '' : ` What Gemini CLI keeps of it cannot be read: ${fault}.`),
      });
    const {files, faults} = findContextFiles(folder, manifest);
    for (const fault of faults) this.#tell({code: 'EXTENSION_LEFT_OUT', sentence: `Extension "${name}": ${fault}`});
    const filling = {
      extensionPath: folder,
      workspacePath: cwd,
      valueOf: (variable: string) => values[variable] ?? variables[variable],
    };
    return {
      name,
      version: manifest.version,
      folder,
      ...(isManaged ? {isManaged} : {}),
      contextFiles: files,
      servers: fillVariables(manifest.servers, filling),
      excludedTools: manifest.excludedTools,
      themes: manifest.themes,
      themeFaults: manifest.themeFaults,
      ...planOf(manifest),
      values,
    };
  }

  /** An extension whose secrets cannot be read works without them, as one does whose values are missing. */
  async #valuesOf(found: FoundExtension, {settings}: Manifest): Promise<ReadValues> {
    const kept = new SettingValues(this.context.environment);
    try {
      return await kept.read(found, settings);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      this.#tell({code: 'EXTENSION_SETTING_MISSING', sentence: [error.message, error.hint ?? ''].join(' ').trim()});
      return {values: kept.readPlain(found.name, found.folder)};
    }
  }

  #tell(notice: Omit<Notice, 'once'>): void {
    this.context.tell({...notice, once: notice.sentence});
  }
}

function planOf({planFolder, planFault}: Manifest): Pick<ActiveExtension, 'planFolder' | 'planFault'> {
  return {...(planFolder === undefined ? {} : {planFolder}), ...(planFault === undefined ? {} : {planFault})};
}

/** The lock of extensions, beside that of plugins. */
export async function openLock({service}: Pick<Context, 'service'>): Promise<ExtensionLock> {
  const {user} = await (await service('installs')).places();
  return new ExtensionLock(dirname(user.lock));
}
