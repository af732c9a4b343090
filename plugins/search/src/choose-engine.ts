import {availableParallelism} from 'node:os';
import type {ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Engine} from './engine/engine.js';
import useRipgrep from './settings/use-ripgrep.js';
import {findBundled, findOnPath} from './ripgrep/program.js';

export type EngineContext = Pick<ServiceContext, 'service' | 'environment'>;

/** The fastest engine there is: the ripgrep that came along, else one of the system, else none but our own. */
export async function chooseEngine(context: EngineContext): Promise<Engine> {
  const {service, environment} = context;
  const [settings, workspace] = await Promise.all([service('settings'), service('workspace')]);
  if (!(await settings.value(useRipgrep)))
    return openJavascriptEngine(context, 'The setting tools.useRipgrep is false.');
  const bundled = await findBundled(environment);
  const found =
    'program' in bundled
      ? bundled
      : await findOnPath(
          environment,
          (await workspace.roots()).map(({path}) => path),
        );
  const missing = 'missing' in bundled ? bundled.missing : '';
  if (!('program' in found)) return openJavascriptEngine(context, `There is no ripgrep: ${missing}; ${found.missing}.`);
  const {program} = found;
  const kind =
    missing === ''
      ? ({name: 'bundled ripgrep', reason: 'It came with this program.'} as const)
      : ({name: 'system ripgrep', reason: `It is on the PATH; ${missing}.`} as const);
  const {createRipgrepEngine} = await import('./ripgrep/ripgrep-engine.js');
  return createRipgrepEngine({info: {...kind, version: program.version, path: program.path}, program, workspace});
}

/** The engine that needs no other program. */
export async function openJavascriptEngine({service}: EngineContext, reason: string): Promise<Engine> {
  const {createJavascriptEngine} = await import('./javascript/javascript-engine.js');
  return createJavascriptEngine({
    info: {name: 'javascript', reason},
    workspace: await service('workspace'),
    cores: availableParallelism(),
  });
}
