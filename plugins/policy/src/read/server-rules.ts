import type {Explanation} from '@gemini-kernel/plugin-settings/contract';
import type {Problem, Rule} from '../rule.js';
import {isTable} from './rule-keys.js';
import {PRIORITIES, ruleOf, tellInVain, tierOf, type Outcome, type Saying} from './setting-rule.js';
import {composeServerTool} from './tool-names.js';

const MCP_MODES = ['default', 'auto_edit', 'yolo'] as const;

/** The rule that denies all tools of a server. */
export function denyServer(saying: Saying, server: string): Rule {
  return serverRule(saying, server, {decision: 'deny', priority: PRIORITIES.servers});
}

function serverRule(saying: Saying, server: string, outcome: Outcome): Rule {
  return ruleOf(saying, {tools: [composeServerTool(server, '*')], server}, outcome);
}

/** The rule that denies the tools of all servers but those that are named. */
export function onlyServers(saying: Saying): Rule {
  return ruleOf(
    saying,
    {tools: ['mcp_*'], server: '*', exceptServers: saying.values},
    {decision: 'deny', priority: PRIORITIES.servers},
  );
}

interface NamedServer {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly saying: Saying;
}

/** Each server as the strongest layer has it: a later one replaces all that an earlier one says about it. */
function readServers({key, layers}: Explanation, problems: Problem[]): readonly NamedServer[] {
  const servers = new Map<string, NamedServer>();
  for (const layer of layers) {
    const saying = {key, tier: tierOf(layer), file: layer.source ?? layer.layer, values: []};
    if (!isTable(layer.value))
      problems.push({
        severity: 'error',
        tier: saying.tier,
        file: saying.file,
        message: `${key} must be an object with a server under each name; it is not used.`,
      });
    else
      for (const [name, settings] of Object.entries(layer.value))
        if (isTable(settings)) servers.set(name, {name, settings, saying: {...saying, key: `${key}.${name}`}});
  }
  return [...servers.values()];
}

/** The rules that allow the tools of servers which settings trust. */
export function trustServers(explanation: Explanation, problems: Problem[]): readonly Rule[] {
  return readServers(explanation, problems).flatMap(({name, settings, saying}) => {
    const {trust} = settings;
    if (trust === undefined || trust === false) return [];
    const trusted = {...saying, key: `${saying.key}.trust`};
    if (trust !== true)
      problems.push({
        severity: 'error',
        tier: saying.tier,
        file: saying.file,
        message: `${trusted.key} must be true or false; the server is not trusted.`,
      });
    else if (saying.tier === 'workspace') return tellInVain({...trusted, values: [name]}, problems);
    else return [{...serverRule(trusted, name, {decision: 'allow', priority: PRIORITIES.trust}), modes: MCP_MODES}];
    return [];
  });
}

/**
 * The rules that allow the tools of servers where no person is there. Servers that the project itself configures are
 * not meant: it could name any program.
 */
export function permitHeadless(
  servers: Explanation,
  explanation: Explanation | undefined,
  problems: Problem[],
): readonly Rule[] {
  const own = explanation?.layers.filter(({layer}) => layer !== 'workspace').at(-1);
  if (!explanation || !own || own.value === false) return [];
  const saying = {key: explanation.key, tier: tierOf(own), file: own.source ?? own.layer, values: []};
  if (own.value !== true) {
    problems.push({
      severity: 'error',
      tier: saying.tier,
      file: saying.file,
      message: `${saying.key} must be true or false; no server is allowed by it.`,
    });
    return [];
  }
  return readServers(servers, [])
    .filter((server) => server.saying.tier !== 'workspace')
    .map(({name}) => ({
      ...serverRule(saying, name, {decision: 'allow', priority: PRIORITIES.headless}),
      interactive: false,
      modes: MCP_MODES,
    }));
}
