import {KernelError} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {CurrentModel} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {SessionConfigOption, SessionMode, SessionModeState} from '#sdk';

/** The choices of a session that an editor shows as selectors. */
export interface SessionOptions {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

const MODES: readonly SessionMode[] = [
  {id: 'default', name: 'Default', description: 'Asks before files change and commands run'},
  {id: 'auto_edit', name: 'Auto edit', description: 'Edits files in the workspace without a question'},
  {id: 'plan', name: 'Plan', description: 'Reads and plans; changes nothing'},
  {id: 'yolo', name: 'YOLO', description: 'Runs everything without a question'},
];

/** As Gemini CLI spells it. */
const SPELLINGS: Readonly<Record<string, string>> = {autoEdit: 'auto_edit'};

/** The id of the option for how much the model thinks. */
export const THOUGHT_LEVEL = 'thought_level';

/** The most models that a selector lists. */
const MOST_MODELS = 200;

export function modeNamed(id: string): string {
  return SPELLINGS[id] ?? id;
}

/** The modes and options of a session; `models`: what providers have listed, if it is known yet. */
export async function findOptions(session: Session, models: readonly string[] = []): Promise<SessionOptions> {
  const modes = {currentModeId: session.info.mode, availableModes: await findModes(session)};
  const current = await (await session.service('agent')).model();
  const {chosen} = current;
  const names = [...new Set([chosen, ...models])].slice(0, MOST_MODELS);
  return {
    modes,
    configOptions: [
      {
        ...{type: 'select', id: 'mode', name: 'Mode', category: 'mode'},
        description: 'What may run without a question',
        currentValue: modes.currentModeId,
        options: modes.availableModes.map(({id, name, description}) => ({
          ...{value: id, name},
          ...(description ? {description} : {}),
        })),
      },
      {
        ...{type: 'select', id: 'model', name: 'Model', category: 'model'},
        description: 'The model that answers',
        currentValue: chosen,
        options: names.map((name) => ({value: name, name})),
      },
      ...thoughtOption(current),
    ],
  };
}

/** How much the model thinks, where it can be asked for more or less. */
function thoughtOption({thoughtLevels, thoughtLevel}: CurrentModel): SessionConfigOption[] {
  if (thoughtLevels.length === 0) return [];
  return [
    {
      ...{type: 'select', id: THOUGHT_LEVEL, name: 'Thinking', category: 'thought_level'},
      description: 'How much the model thinks before it answers',
      currentValue: thoughtLevel,
      options: ['auto', ...thoughtLevels].map((value) => ({value, name: value})),
    },
  ];
}

/** Every model that a provider lists. Asks the providers, so it can take long. */
export async function listModels(session: Session, signal: AbortSignal): Promise<readonly string[]> {
  const providers = await (await session.service('agent')).models(signal);
  return providers.flatMap(({provider, models}) => models.map((model) => `${provider}:${model}`));
}

/** The value of an option that takes one of several. Throws KernelError ACP_REQUEST_INVALID. */
export function readValue(option: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const shown = JSON.stringify(value);
  throw new KernelError('ACP_REQUEST_INVALID', `The option ${option} takes the name of a choice, not ${shown}.`);
}

async function findModes(session: Session): Promise<SessionMode[]> {
  const settings = await session.service('settings');
  const [noYolo, plan] = [await settings.get('security.disableYoloMode'), await settings.get('general.plan.enabled')];
  return MODES.filter(({id}) => !(id === 'yolo' && noYolo === true) && !(id === 'plan' && plan === false));
}
