import type {Explanation} from '@gemini-kernel/plugin-settings/contract';
import type {CommandCondition, Problem, Rule, RuleSet} from '../rule.js';
import {escapeRegex} from './escape-regex.js';
import {denyServer, onlyServers, permitHeadless, trustServers} from './server-rules.js';
import {PRIORITIES, ruleOf, tellInVain, tierOf, type Outcome, type Saying} from './setting-rule.js';
import {resolveClassName, SHELL, withTwin} from './tool-names.js';

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
    ...sayings('mcp.excluded').flatMap((saying) => saying.values.map((server) => denyServer(saying, server))),
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
