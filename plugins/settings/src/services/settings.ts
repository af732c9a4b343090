import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Settings} from '../contract.js';
import {splitKey, valueAt} from '../key-path.js';
import {loadSettings, type FindObjection, type LoadedSettings} from '../load-settings.js';
import type {SettingChange} from '../write-setting.js';

/** Layered settings of the program; read on first use and again after a change made here. */
export default provide('settings', {
  version: '1.0.0',
  scope: 'place',
  create({environment, tell, signal, dispatch, service, names}): Settings {
    const {load, loadApart, forget} = createLoader({
      environment,
      tell,
      // A host that installs nothing has no bundles.
      listBundles: async () => (names('bundles').length > 0 ? (await service('bundles')).list() : []),
      async findObjection(file) {
        const {decision, reason} = await dispatch('settings:project', {file});
        return decision === 'allow' ? undefined : reason;
      },
    });

    const write = async (change: SettingChange): Promise<{readonly path: string}> => {
      const {writeSetting} = await import('../write-setting.js');
      const path = await writeSetting(change, environment, signal);
      forget();
      // Who has just made the project's file is told when it does not count.
      if (change.scope === 'project') await load();
      return {path};
    };

    return {
      async get(key) {
        const [name = '', ...rest] = splitKey(key);
        const value = valueAt((await load()).section(name).value, rest);
        return typeof value === 'object' ? structuredClone(value) : value;
      },
      async getApart(key) {
        const [name = '', ...rest] = splitKey(key);
        return structuredClone(valueAt((await loadApart()).section(name).value, rest));
      },
      async getManaged(key) {
        const [name = '', ...rest] = splitKey(key);
        return structuredClone(valueAt((await loadApart()).section(name).managed, rest));
      },
      explain: async (key) => (await import('../explain-key.js')).explainKey(splitKey(key), await load()),
      list: async (options = {}) => (await import('../explain-key.js')).explainKeys(await load(), options),
      set: async (key, value, {scope}) => write({path: splitKey(key), value, scope}),
      append: async (key, values, {scope}) => write({path: splitKey(key), value: values, act: 'add', scope}),
      remove: async (key, values, {scope}) => write({path: splitKey(key), value: values, act: 'remove', scope}),
    };
  },
});

interface Loader {
  load(): Promise<LoadedSettings>;
  /** Without the project's file: who is asked about that file may ask for a setting. */
  loadApart(): Promise<LoadedSettings>;
  /** The next question reads the files again. */
  forget(): void;
}

interface Sources extends Pick<ServiceContext, 'environment' | 'tell'> {
  listBundles(): Promise<readonly ActiveBundle[]>;
  readonly findObjection: FindObjection;
}

/** Reads the settings once, and says each warning once. */
function createLoader({environment, tell, listBundles, findObjection}: Sources): Loader {
  let [loading, apart]: (Promise<LoadedSettings> | undefined)[] = [];
  // What was said once is not said again after a change.
  const warn = (sentence: string): void => tell({code: 'SETTINGS_FAULT', sentence, once: sentence});
  const read = async (say: typeof warn, object: FindObjection): Promise<LoadedSettings> =>
    loadSettings({environment, bundles: await listBundles(), warn: say, findObjection: object});
  return {
    load() {
      loading ??= read(warn, findObjection).catch((error: unknown) => {
        // A file that is corrected meanwhile is read at the next question.
        loading = undefined;
        throw error;
      });
      return loading;
    },
    loadApart: () =>
      (apart ??= read(
        () => undefined,
        () => Promise.resolve('It is not asked.'),
      )),
    forget() {
      loading = apart = undefined;
    },
  };
}
