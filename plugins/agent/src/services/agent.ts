import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-env/contract';
import type {} from '@gemini-kernel/plugin-search/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {readFallback} from '../agent-settings.js';
import type {Agent, Model} from '../contract.js';
import {HistoryFitting} from '../fit-history.js';
import {History} from '../history.js';
import {LiveAgent} from '../live-agent.js';
import {readModelConfigs} from '../model-configs.js';
import {ModelRoute} from '../model-route.js';
import {Statistics} from '../statistics.js';

const USUAL = 'auto';

/** The conversation of a session. It reads and asks nothing before the first prompt. */
export default provide('agent', {
  version: '1.7.0',
  scope: 'session',
  capability: 'model',
  methods: [
    'assume',
    'send',
    'ask',
    'compress',
    'check',
    'history',
    'rewind',
    'clear',
    'tell',
    'model',
    'setModel',
    'setThoughtLevel',
    'models',
    'stats',
    'charge',
    'relay',
    'measure',
    'frame',
  ],
  async create(context): Promise<Agent> {
    const {service, environment, dispatch} = context;
    const settings = await service('settings');
    const names = context.names('model').map((name) => name.replace(/^model:/, ''));
    const open = (provider: string): Promise<Model> => service(`model:${provider}`);
    const history = new History({
      newId: () => environment.newId(),
      announce: async (change) => void (await dispatch('history:change', {change})),
    });
    const parts = {
      context,
      settings,
      history,
      fitting: new HistoryFitting({context, history}),
      workspace: await service('workspace'),
      route: new ModelRoute(await findChosen(context), {
        names,
        open,
        fallback: () => readFallback(settings),
        configs: () => readModelConfigs(settings),
        tell: context.tell,
      }),
      statistics: new Statistics(),
      seenCalls: new Set<string>(),
      times: {take: async (call: string) => (await service('call-times')).take(call)},
      state: {
        turns: 0,
        given: new Map<string, string>(),
        roots: '',
        systemSections: undefined,
        counted: undefined,
        role: undefined,
        isIncompressible: false,
      },
      variable: async (name: string) => (await service('variables')).explain(name),
      isTrusted: async () => (await service('trust')).may('context-files'),
      files: async () => (context.names('files').length > 0 ? service('files') : undefined),
      temporary: async () => (await (await service('project')).find())?.temporary,
    };
    return new LiveAgent(parts, {names, open});
  },
});

/** The flag, then GEMINI_MODEL, then the setting. */
async function findChosen({service}: ServiceContext): Promise<string> {
  const {value, winner} = await (await service('settings')).explain('model.name');
  const byVariable = winner === 'flag' ? undefined : await (await service('variables')).get('GEMINI_MODEL');
  return byVariable ?? (typeof value === 'string' && value !== '' ? value : USUAL);
}
