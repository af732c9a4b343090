import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {toServers} from './read-servers.js';
import type {AgentDefinition} from '../contract.js';

type Limit = 'maxTurns' | 'maxMinutes' | 'maxTokens' | 'maxCost';

interface Override {
  readonly change: Partial<
    Pick<AgentDefinition, 'model' | 'temperature' | 'topP' | 'tools' | 'servers'> & Pick<AgentDefinition, Limit>
  >;
  readonly enabled: boolean;
  readonly faults: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

/** The keys below `runConfig`. */
const LIMITS: Readonly<Record<Limit, string>> = {
  maxTurns: 'maxTurns',
  maxMinutes: 'maxTimeMinutes',
  maxTokens: 'maxTokens',
  maxCost: 'maxCost',
};

/** What `agents.overrides.<name>` says. A project switches agents off and lowers limits; it opens nothing. */
export async function readOverride(
  settings: Settings,
  {name, tools, servers, ...limits}: AgentDefinition,
): Promise<Override> {
  const [all, apart] = await Promise.all([settings.get('agents.overrides'), settings.getApart('agents.overrides')]);
  const own = tableOf(tableOf(apart)[name]);
  const any = tableOf(tableOf(all)[name]);
  const faults: string[] = [];
  const run = tableOf(any['runConfig']);
  const ownRun = tableOf(own['runConfig']);
  const changed = Object.entries(LIMITS).flatMap(([of, key]) => {
    const mine = numberOf(ownRun[key], `agents.overrides.${name}.runConfig.${key}`, faults) ?? limits[of as Limit];
    const theirs = numberOf(run[key], `agents.overrides.${name}.runConfig.${key}`, faults);
    const value = theirs === undefined || theirs === ownRun[key] ? mine : Math.min(theirs, mine ?? Infinity);
    return value === undefined ? [] : [[of, value] as const];
  });
  const config = tableOf(own['modelConfig']);
  const generate = tableOf(config['generateContentConfig']);
  const listed = own['tools'];
  const added = toServers(tableOf(own['mcpServers']));
  if (typeof added === 'string') faults.push(`The setting agents.overrides.${name}.mcpServers ${added}.`);
  // What settings add does not take away what the definition has.
  const joined = {...servers, ...(typeof added === 'string' ? {} : added)};
  return {
    change: {
      ...Object.fromEntries(changed),
      ...(typeof config['model'] === 'string' ? {model: config['model']} : {}),
      ...(typeof generate['temperature'] === 'number' ? {temperature: generate['temperature']} : {}),
      ...(typeof generate['topP'] === 'number' ? {topP: generate['topP']} : {}),
      ...(Object.keys(joined).length > 0 ? {servers: joined} : {}),
      ...(Array.isArray(listed) ? {tools: listed.filter((one) => typeof one === 'string')} : tools ? {tools} : {}),
    },
    enabled: own['enabled'] !== false && any['enabled'] !== false,
    faults: [...new Set(faults)],
  };
}

function tableOf(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

function numberOf(value: unknown, key: string, faults: string[]): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return value;
  faults.push(`The setting ${key} is not a number above 0.`);
  return undefined;
}
