import {provide} from '@gemini-kernel/kernel';
import type {View, ViewItem, ViewText} from '@gemini-kernel/plugin-agent/contract';
import type {Policy, Problem, Rule} from '../contract.js';
import {commandsOf, describeConditions, placeOf} from '../describe-rule.js';

const TIERS: Readonly<Record<Rule['source']['tier'], string>> = {
  admin: 'administrator',
  user: 'you',
  session: 'this session',
  workspace: 'project, only stricter',
  extension: 'extension, only stricter',
  default: 'default',
};

/** The rules that say what may run, in the order they are asked, and what is wrong in their files. */
export default provide('view:permissions', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => {
    const read = async (): ReturnType<Policy['rules']> => (await service('policy')).rules();
    return {
      describe: async () => ({
        title: 'Rules; of those that match a call, the first decides',
        empty: 'There are no rules.',
        search: 'labels',
        sorts: [],
        inLines: 'command',
        actions: [{name: 'read', key: 'o', label: 'read'}],
      }),
      list: async () => {
        const {rules, problems} = await read();
        return [...problems.map(itemOfProblem), ...rules.map(itemOfRule)];
      },
      preview: async (id) => {
        const {rules, problems} = await read();
        const [kind, number] = id.split(' ');
        const problem = kind === 'problem' ? problems[Number(number)] : undefined;
        if (problem) return [describeProblem(problem)];
        const rule = kind === 'rule' ? rules[Number(number)] : undefined;
        return rule ? describeRule(rule) : [{kind: 'text', text: 'It is no longer there.'}];
      },
      act: async () => ({kind: 'read'}),
    };
  },
});

function itemOfProblem({file, line, severity}: Problem, index: number): ViewItem {
  return {id: `problem ${index}`, label: `${file}${line === undefined ? '' : `:${line}`}`, details: severity};
}

function itemOfRule(rule: Rule, index: number): ViewItem {
  const {decision, sensitive, priority, source} = rule;
  const label = `${decision}${sensitive ? '!' : ''} ${describeConditions(rule)}`;
  return {id: `rule ${index}`, label, details: `${TIERS[source.tier]}, ${priority}`};
}

function describeProblem({file, line, message, hint}: Problem): ViewText {
  const text = `${message}${hint === undefined ? '' : `\n${hint}`}`;
  return {kind: 'text', title: `${file}${line === undefined ? '' : `:${line}`}`, text};
}

function describeRule(rule: Rule): readonly ViewText[] {
  const {id, decision, description, message, source, sensitive, sandbox, tools, args, path} = rule;
  const facts = [
    ...(description === undefined ? [] : [description]),
    `Decision: ${decision}`,
    `Tools: ${tools.join(', ')}`,
    ...commandsOf(rule).map((command) => `Commands: ${command}`),
    ...(args === undefined ? [] : [`Arguments: /${args}/`]),
    ...(path ? [`Paths: ${path.join(', ')}`] : []),
    `About: ${describeConditions(rule)}`,
    ...(sensitive ? ['Sensitive: only a rule that names a path lifts it.'] : []),
    ...(message === undefined ? [] : [`Says: ${message}`]),
    ...(sandbox ? [`Grants in the sandbox: ${JSON.stringify(sandbox)}`] : []),
    `From: ${TIERS[source.tier]}${placeOf(rule) === '' ? '' : `, ${placeOf(rule)}`}`,
  ];
  return [
    {kind: 'text', title: id, text: facts.join('\n')},
    {kind: 'text', text: 'gemini policy explain shows which rule decides about a call.'},
  ];
}
