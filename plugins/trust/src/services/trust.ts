import {stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {KernelError, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Trust, TrustState} from '../contract.js';
import {contributions} from '../contributions.js';
import {explainTrust} from '../explain-trust.js';
import {findRule, keyOf, realOf, resolveRules, rulesOf} from '../trust-rules.js';

/** Trusted folders of the person; read on first use and again after a change made here. */
export default provide('trust', {
  version: '1.0.0',
  scope: 'place',
  methods: ['state', 'explain', 'may', 'list', 'reconsider', 'set'],
  create({environment, service, dispatch}): Trust {
    const {cwd, home, platform, variables} = environment;
    const file = variables['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(home, '.gemini', 'trustedFolders.json');
    let here: Promise<TrustState> | undefined;

    const readRules = async (): ReturnType<Trust['list']> => {
      const files = await service('config-files');
      return {file, rules: rulesOf((await files.readJSON(file)) ?? {}, file)};
    };
    const explain = async (folder: string): Promise<TrustState> => {
      const {rules} = await readRules();
      const found = findRule(resolveRules(rules, platform), realOf(folder), platform);
      return explainTrust({folder, file, found, settings: await service('settings'), variables});
    };
    const state = (): Promise<TrustState> => {
      here ??= explain(cwd)
        .then((found) => heedDoubts(found, dispatch))
        .catch((error: unknown) => {
          here = undefined;
          throw error;
        });
      return here;
    };

    return {
      state,
      explain: (path) => explain(resolve(cwd, path)),
      may: async (contribution) => contributions[contribution].untrusted || (await state()).trusted,
      list: readRules,
      reconsider() {
        here = undefined;
        return state();
      },
      async set(path, level) {
        const folder = realOf(resolve(cwd, path));
        if (level !== undefined) await checkFolder(folder);
        await readRules();
        const key = keyOf(folder, platform);
        await (await service('config-files')).setJSON(file, [key], level);
        here = undefined;
        return {file, path: key};
      },
    };
  },
});

/** What a person says for one run stands; anything else yields to a plugin that has a reason against it. */
async function heedDoubts(found: TrustState, dispatch: ServiceContext['dispatch']): Promise<TrustState> {
  if (!found.trusted || found.source === 'variable') return found;
  const {decision, reason} = await dispatch('trust:doubt', {folder: found.folder});
  return decision === 'allow' ? found : {folder: found.folder, trusted: false, source: 'doubt', reason};
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new KernelError('TRUST_FOLDER_MISSING', `${folder} ${found ? 'is not a folder' : 'does not exist'}.`, {
    hint: 'Give the path of a folder; without one the current folder is meant.',
  });
}
