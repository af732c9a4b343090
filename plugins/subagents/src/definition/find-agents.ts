import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {AgentDefinition, AgentFault, AgentInfo, FoundAgents} from '../contract.js';
import type {AgentRoot} from './agent-roots.js';
import {builtIn} from './built-in.js';
import {readOverride} from './override.js';
import {readAgents, type AgentFile} from './read-agents.js';
import {findTaken} from './read-auth.js';

interface Place {
  readonly roots: readonly AgentRoot[];
  readonly settings: Settings;
  readonly isTrusted: boolean;
  /** Digests of agents of this project that the person agreed to, by name. */
  acknowledged(): Promise<ReadonlyMap<string, unknown>>;
}

/** What was found, and the files of the project that wait for the person. */
export interface Found extends FoundAgents {
  readonly waiting: readonly AgentFile[];
}

const UNTRUSTED = 'is not used, because the folder is not trusted; trust it with `gemini trust add`';

/** Agents of the product, of the project, of the person and of extensions; of one name, the first counts. */
export async function findAgents({roots, settings, isTrusted, acknowledged}: Place): Promise<Found> {
  const read = await Promise.all(roots.map((root) => readAgents(root)));
  const files = read.flatMap((one) => one.files);
  const faults: AgentFault[] = read.flatMap((one) => one.faults);
  const agreed = files.some(({root}) => root.origin === 'project') && isTrusted ? await acknowledged() : new Map();
  const found = new Map<string, AgentInfo>();
  for (const definition of builtIn) found.set(definition.name, await settle(definition, [], settings));
  const waiting: AgentFile[] = [];
  for (const one of files) {
    const {root, file, definition, digest, warnings} = one;
    const isAgreed = root.origin !== 'project' || agreed.get(definition.name) === digest;
    const first = found.get(definition.name);
    const fault = findFault(one, isTrusted);
    if (fault) faults.push(fault);
    else if (!isAgreed) {
      waiting.push(one);
      const reason = `waits for you to read it: gemini agents acknowledge ${definition.name}`;
      faults.push({file, reason, kind: 'unacknowledged'});
    } else if (first) {
      const reason = `has the name of the agent ${first.file ?? 'that is built in'}`;
      faults.push({file, reason, kind: 'hidden'});
    } else found.set(definition.name, await settle(withOrigin(one), warnings, settings));
  }
  const agents = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {agents, faults, waiting};
}

/** Why an agent of others cannot count, whether or not the person agrees to it. */
function findFault(
  {root: {origin}, file, definition: {remote}}: AgentFile,
  isTrusted: boolean,
): AgentFault | undefined {
  if (origin === 'project' && !isTrusted) return {file, reason: UNTRUSTED, kind: 'untrusted'};
  if (origin === 'user' || !remote) return undefined;
  if (remote.login?.kind === 'google')
    return {file, reason: 'takes your credentials of Google, which only an agent of your own may', kind: 'broken'};
  const {variable, command} = findTaken(remote);
  // The command of a project counts like its servers: after trust, and the person's yes to this very file.
  const taken = variable ?? (origin === 'project' ? undefined : command);
  if (taken === undefined) return undefined;
  // What others wrote could send any variable anywhere.
  const what = JSON.stringify(taken.slice(0, 40));
  return {file, reason: `takes ${what} of yours for a login, which only an agent of your own may`, kind: 'broken'};
}

function withOrigin({root: {origin, owner}, definition, file}: AgentFile): AgentDefinition {
  return {...definition, origin, file, ...(owner === undefined ? {} : {owner})};
}

/** The definition as settings change it. */
async function settle(
  definition: AgentDefinition,
  warnings: readonly string[],
  settings: Settings,
): Promise<AgentInfo> {
  const {change, enabled, faults} = await readOverride(settings, definition);
  return {...definition, ...change, enabled, warnings: [...warnings, ...faults]};
}
