import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import {provide, type DeclaredSetting, type JSONSchema, type ServiceContext, type Setting} from '@gemini-kernel/kernel';
import type {Settings} from '../contract.js';
import {explainKey, explainKeys} from '../explain-key.js';
import {describeSlips} from '../fit-layer.js';
import {fitValue, type Misfit} from '../fit-value.js';
import {splitKey, valueAt} from '../key-path.js';
import {joinSettings, type KnownSettings} from '../known-settings.js';
import {loadSettings, type FindObjection, type LoadedSettings} from '../load-settings.js';
import type {SettingChange} from '../write-setting.js';

/** Layered settings of the program; read on first use and again after a change made here. */
export default provide('settings', {
  version: '1.1.0',
  scope: 'place',
  methods: [
    ...(['get', 'value', 'getApart', 'getManaged', 'explain', 'list', 'declared', 'schema', 'check'] as const),
    ...(['set', 'append', 'remove'] as const),
  ],
  create({environment, tell, signal, dispatch, service, names, settings: declarations}): Settings {
    const known = createKnown(declarations);
    const {load, loadApart, forget} = createLoader({
      ...{environment, tell, known},
      // A host that installs nothing has no bundles.
      listBundles: async () => (names('bundles').length > 0 ? (await service('bundles')).list() : []),
      async findObjection(file) {
        const {decision, reason} = await dispatch('settings:project', {file});
        return decision === 'allow' ? undefined : reason;
      },
    });

    const write = async (change: SettingChange): Promise<{readonly path: string}> => {
      const {writeSetting} = await import('../write-setting.js');
      const path = await writeSetting(change, environment, {signal, schema: known().schema});
      forget();
      // Warn the user who just created the project's file when it does not count.
      if (change.scope === 'project') await load();
      return {path};
    };

    return {
      async get(key) {
        const [name = '', ...rest] = splitKey(key);
        const value = valueAt((await load()).section(name).value, rest);
        return typeof value === 'object' ? structuredClone(value) : value;
      },
      async value<V>(setting: Setting<V>, {apart = false}: {readonly apart?: boolean} = {}) {
        const [name = '', ...rest] = splitKey(setting.key);
        return valueOf(setting, valueAt((await (apart ? loadApart() : load())).section(name).value, rest));
      },
      async getApart(key) {
        const [name = '', ...rest] = splitKey(key);
        return structuredClone(valueAt((await loadApart()).section(name).value, rest));
      },
      async getManaged(key) {
        const [name = '', ...rest] = splitKey(key);
        return structuredClone(valueAt((await loadApart()).section(name).managed, rest));
      },
      explain: async (key) => explainKey(splitKey(key), await load()),
      list: async (options = {}) => explainKeys(await load(), options),
      declared: async () => known().declared,
      schema: async () => known().schema as JSONSchema,
      check: async () => (await load()).faults,
      set: async (key, value, {scope}) => write({path: splitKey(key), value, scope}),
      append: async (key, values, {scope}) => write({path: splitKey(key), value: values, act: 'add', scope}),
      remove: async (key, values, {scope}) => write({path: splitKey(key), value: values, act: 'remove', scope}),
    };
  },
});

/** What counts of a declared setting; its default where a value does not fit. */
function valueOf<V>(setting: Setting<V>, found: unknown): V {
  const misfits: Misfit[] = [];
  const fitted = fitValue(found, setting.schema, misfits);
  const counting = found === undefined || misfits.length > 0 ? setting.default : fitted;
  // The setting's own schema has just said so, and the build of its default.
  return structuredClone(counting) as V;
}

interface Loader {
  load(): Promise<LoadedSettings>;
  /** Without the project's file: who is asked about that file may ask for a setting. */
  loadApart(): Promise<LoadedSettings>;
  /** The next question reads the files again. */
  forget(): void;
}

/** Joins the declarations with the product's keys, and again when the catalog is another one. */
function createKnown(declarations: () => readonly DeclaredSetting[]): () => KnownSettings {
  let from: readonly DeclaredSetting[] | undefined;
  let joined: KnownSettings | undefined;
  return () => {
    const now = declarations();
    if (!joined || now !== from) [from, joined] = [now, joinSettings(now)];
    return joined;
  };
}

interface LoaderParts extends Pick<ServiceContext, 'environment' | 'tell'> {
  known(): KnownSettings;
  listBundles(): Promise<readonly ActiveBundle[]>;
  readonly findObjection: FindObjection;
}

/** Reads the settings once, and again when plugins declare others; says each warning once. */
function createLoader({environment, tell, known, listBundles, findObjection}: LoaderParts): Loader {
  let from: KnownSettings | undefined;
  let [loading, apart]: (Promise<LoadedSettings> | undefined)[] = [];
  // What was said once is not said again after a change.
  const warn = (sentence: string): void => tell({code: 'SETTINGS_FAULT', sentence, once: sentence});
  // What a person has just written is not a slip that stood there.
  let isFirst = true;
  const tellSlips = (loaded: LoadedSettings): LoadedSettings => {
    const sentence = isFirst ? describeSlips(loaded.faults) : undefined;
    isFirst = false;
    if (sentence !== undefined) warn(sentence);
    return loaded;
  };
  const read = async (all: KnownSettings, say: typeof warn, object: FindObjection): Promise<LoadedSettings> =>
    loadSettings({known: all, environment, bundles: await listBundles(), warn: say, findObjection: object});
  const settle = (): KnownSettings => {
    if (from !== known()) loading = apart = undefined;
    return (from = known());
  };
  return {
    load() {
      const all = settle();
      loading ??= read(all, warn, findObjection)
        .then(tellSlips)
        .catch((error: unknown) => {
          // A file that is corrected meanwhile is read at the next question.
          loading = undefined;
          throw error;
        });
      return loading;
    },
    loadApart() {
      const all = settle();
      const unasked: FindObjection = () => Promise.resolve('It is not asked.');
      return (apart ??= read(all, () => undefined, unasked));
    },
    forget() {
      loading = apart = undefined;
    },
  };
}
