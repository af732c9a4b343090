import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {Variables, VariableSource} from '../contract.js';
import {findEnvFile, type EnvFile} from '../find-env-file.js';

/** The variables of the nearest `.env` file, read when one is first asked for that the program was not started with. */
export default provide('variables', {
  version: '1.0.0',
  scope: 'place',
  methods: ['get', 'explain', 'file'],
  create({environment, service, tell}): Variables {
    let found: Promise<EnvFile | undefined> | undefined;
    const load = (): Promise<EnvFile | undefined> => (found ??= open());
    const open = async (): Promise<EnvFile | undefined> =>
      findEnvFile({environment, tell, settings: await service('settings'), trust: await service('trust')});
    const explain = async (name: string): Promise<VariableSource | undefined> => {
      const given = environment.variables[name];
      if (given !== undefined) return given === '' ? undefined : {value: given};
      const file = await load();
      const value = file?.values.get(name);
      return file && value ? {value, file: file.path, isProject: file.isProject} : undefined;
    };

    return {
      explain,
      get: async (name) => (await explain(name))?.value,
      async file() {
        const file = await load();
        return (
          file && {
            path: file.path,
            names: [...file.values.keys()].filter((name) => environment.variables[name] === undefined).sort(),
          }
        );
      },
    };
  },
});
