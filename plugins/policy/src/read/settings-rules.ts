import type {Explanation, LayerValue} from '@gemini-kernel/plugin-settings/contract';
import type {CommandCondition, Decision, Problem, Rule, RuleSet, Tier} from '../rule.js';
import {escapeRegex} from './escape-regex.js';
import {isTable} from './rule-keys.js';
import {composeServerTool, resolveClassName, SHELL, withTwin} from './tool-names.js';

/** The keys whose explanations `readSettingsRules` takes. */
export const settingsRuleKeys = [
  'tools.exclude',
  'tools.confirmationRequired',
  'tools.allowed',
  'tools.core',
  'mcp.excluded',
  'mcp.allowed',
  'mcpServers',
  'mcp.autoAllowInHeadless',
] as const;

/**
 * Priorities as in the product whose settings we read; there a server that `mcp.allowed` leaves out is not even
 * started.
 */
const PRIORITIES = {
  servers: 900,
  exclude: 400,
  confirm: 350,
  allow: 300,
  core: 240,
  trust: 200,
  headless: 100,
} as const;
const MCP_MODES = ['default', 'auto_edit', 'yolo'] as const;

/**
 * The rules that settings stand for. What the project's own settings file says is of tier `workspace` and only
 * tightens; what an administrator's deny or ask about is of tier `admin`, all else of tier `user`. Values of the wrong
 * type are problems, and so is what a project says in vain.
 */
export function readSettingsRules(explanations: readonly Explanation[]): RuleSet {
  const problems: Problem[] = [];
  const sayings = (key: string): readonly Saying[] =>
    readLists(
      explanations.find((one) => one.key === key),
      problems,
    );
  const servers = explanations.find((one) => one.key === 'mcpServers');
  const rules = [
    ...sayings('mcp.excluded').flatMap((saying) =>
      saying.values.map((server) => serverRule(saying, server, {decision: 'deny', priority: PRIORITIES.servers})),
    ),
    ...sayings('tools.exclude').flatMap((saying) =>
      restrict(saying, {decision: 'deny', priority: PRIORITIES.exclude}, problems),
    ),
    ...sayings('tools.confirmationRequired').flatMap((saying) =>
      restrict(saying, {decision: 'ask', priority: PRIORITIES.confirm}, problems),
    ),
    ...sayings('tools.allowed').flatMap((saying) =>
      saying.tier === 'workspace' ? tellInVain(saying, problems) : permit(saying, problems),
    ),
    ...sayings('tools.core').flatMap(onlyTools),
    ...sayings('mcp.allowed').map(onlyServers),
    ...(servers ? trustServers(servers, problems) : []),
    ...(servers
      ? permitHeadless(
          servers,
          explanations.find((one) => one.key === 'mcp.autoAllowInHeadless'),
          problems,
        )
      : []),
  ];
  return {rules, checkers: [], problems};
}

/** What one layer, or several that merge, say under a key. */
interface Saying {
  readonly key: string;
  readonly tier: Extract<Tier, 'user' | 'workspace' | 'admin'>;
  readonly file: string;
  readonly values: readonly string[];
}

interface Outcome {
  readonly decision: Decision;
  readonly priority: number;
}

function tierOf({layer, managed}: LayerValue): Saying['tier'] {
  if (layer === 'workspace') return 'workspace';
  return managed ? 'admin' : 'user';
}

/**
 * Of lists that replace each other the strongest counts, apart from the project's, which is never in place of another.
 */
function readLists(explanation: Explanation | undefined, problems: Problem[]): readonly Saying[] {
  if (!explanation) return [];
  const {key, layers, merge} = explanation;
  const own = layers.filter(({layer}) => layer !== 'workspace');
  const counted = merge === 'union' || merge === 'concat' ? own : own.slice(-1);
  return [...counted, ...layers.filter(({layer}) => layer === 'workspace')].flatMap((layer) => {
    const saying = {key, tier: tierOf(layer), file: layer.source ?? layer.layer};
    const values: readonly unknown[] =
      typeof layer.value === 'string' ? [layer.value] : Array.isArray(layer.value) ? layer.value : [layer.value];
    const texts = values
      .filter((value) => typeof value === 'string' && value.trim() !== '')
      .map((value) => String(value).trim());
    if (texts.length < values.length)
      problems.push({
        severity: 'error',
        tier: saying.tier,
        file: saying.file,
        message: `${key} must be a list of names; what is no name in it is not used.`,
      });
    return [{...saying, values: texts}];
  });
}

function ruleOf(
  {key, tier, file}: Saying,
  conditions: Pick<Rule, 'tools'> & Partial<Rule>,
  {decision, priority}: Outcome,
): Rule {
  const label = `Setting: ${key}`;
  // What an administrator allows, a person may still close.
  const source = {tier: tier === 'admin' && decision === 'allow' ? ('user' as const) : tier, label, file};
  return {id: label, source, decision, priority, allowRedirection: false, sensitive: false, ...conditions};
}

function serverRule(saying: Saying, server: string, outcome: Outcome): Rule {
  return ruleOf(saying, {tools: [composeServerTool(server, '*')], server}, outcome);
}

/** `tool` or `tool(what it is given)`. */
function parseToolSpec(spec: string): {readonly tools: readonly string[]; readonly argument: string | undefined} {
  const [, name = spec, argument] = /^([^()\s]+)\s*\(([\s\S]*)\)$/.exec(spec) ?? [];
  return {tools: withTwin(resolveClassName(name)), argument: argument?.trim() || undefined};
}

function restrict(saying: Saying, outcome: Outcome, problems: Problem[]): readonly Rule[] {
  return saying.values.map((spec) => {
    const {tools, argument} = parseToolSpec(spec);
    if (argument === undefined) return ruleOf(saying, {tools}, outcome);
    if (tools.includes(SHELL)) return ruleOf(saying, {tools, command: {prefix: argument}}, outcome);
    problems.push({
      severity: 'warning',
      tier: saying.tier,
      file: saying.file,
      message:
        `${saying.key} names "${spec}", but only ${SHELL} takes a command in brackets; the rule is about every call ` +
        'of the tool.',
    });
    return ruleOf(saying, {tools}, outcome);
  });
}

function permit(saying: Saying, problems: Problem[]): readonly Rule[] {
  const outcome = {decision: 'allow', priority: PRIORITIES.allow} as const;
  return saying.values.flatMap((spec) => {
    const {tools, argument} = parseToolSpec(spec);
    if (argument === undefined) return [ruleOf(saying, {tools}, outcome)];
    if (tools.includes(SHELL)) return [ruleOf(saying, {tools, command: {prefix: argument}}, outcome)];
    problems.push({
      severity: 'warning',
      tier: saying.tier,
      file: saying.file,
      message:
        `${saying.key} names "${spec}", but only ${SHELL} takes a command in brackets; ` + 'nothing is allowed by it.',
      hint: 'Write a rule with argsPattern or path into a file in ~/.gemini/policies.',
    });
    return [];
  });
}

function tellInVain({key, tier, file, values}: Saying, problems: Problem[]): readonly Rule[] {
  if (values.length > 0)
    problems.push({
      severity: 'warning',
      tier,
      file,
      message: `${key} in the settings of a project allows nothing: a project can only make rules stricter.`,
      hint: 'Put it into your own settings if you want it.',
    });
  return [];
}

/** What `tools.core` leaves out is denied; what it names is as it would be without it. */
function onlyTools(saying: Saying): readonly Rule[] {
  const outcome = {decision: 'deny', priority: PRIORITIES.core} as const;
  const specs = saying.values.map(parseToolSpec);
  const named = specs.flatMap(({tools}) => tools);
  const shell = specs.filter(({tools}) => tools.includes(SHELL));
  const prefixes = shell.flatMap(({argument}) => (argument === undefined ? [] : [argument]));
  const rule = ruleOf(saying, {tools: ['*'], except: named}, outcome);
  if (prefixes.length === 0 || prefixes.length < shell.length) return [rule];
  const others: CommandCondition = {pattern: `(?!(?:${prefixes.map(escapeRegex).join('|')})(?:\\s|$))`, anchored: true};
  return [rule, ruleOf(saying, {tools: [SHELL], command: others}, outcome)];
}

function onlyServers(saying: Saying): Rule {
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

function trustServers(explanation: Explanation, problems: Problem[]): readonly Rule[] {
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

/** Servers that the project itself configures are not meant: it could name any program. */
function permitHeadless(
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
