import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {Variables, VariableSource} from '../contract.js';
import {findEnvFiles, type EnvFile} from '../find-env-files.js';

/** The variables of the nearest `.env` file, read when one is first asked for that the program was not started with. */
export default provide('variables', {
  version: '1.0.0',
  scope: 'place',
  methods: ['get', 'explain', 'file'],
  create({environment, service, tell}): Variables {
    let found: Promise<readonly EnvFile[]> | undefined;
    const load = (): Promise<readonly EnvFile[]> => (found ??= open());
    const open = async (): Promise<readonly EnvFile[]> =>
      findEnvFiles({environment, tell, settings: await service('settings'), trust: await service('trust')});
    const explain = async (name: string): Promise<VariableSource | undefined> => {
      const given = environment.variables[name];
      if (given !== undefined) return given === '' ? undefined : {value: given};
      const file = (await load()).find(({values}) => values.has(name));
      const value = file?.values.get(name);
      return file && value ? {value, file: file.path, isProject: file.isProject} : undefined;
    };

    return {
      explain,
      get: async (name) => (await explain(name))?.value,
      async file() {
        const [nearest, ...others] = await load();
        if (!nearest) return undefined;
        const names = new Set([nearest, ...others].flatMap(({values}) => [...values.keys()]));
        return {
          path: nearest.path,
          names: [...names].filter((name) => environment.variables[name] === undefined).sort(),
        };
      },
    };
  },
});
