import type {ResultLine} from '../results/result.js';
import type {RefusedCall} from '../work/event-lines.js';
import {amount, money} from './describe.js';

type Styling = (kind: 'good' | 'bad' | 'dim', text: string) => string;

/** A result as a line for people. */
export function describeLine(line: ResultLine, style: Styling): string {
  const {id, status, row, repository, files, insertions, deletions, tokens, cost, error, branch, answer} = line;
  const kind = status === 'done' ? 'good' : status === 'failed' ? 'bad' : 'dim';
  const about = repository ?? Object.values(row)[0] ?? '';
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const change = files.length === 0 ? [] : [`${count}, +${insertions} -${deletions}`];
  const rest = error ? [`${error.code}: ${error.message}`] : branch === undefined ? [oneLine(answer ?? '')] : [branch];
  const parts = [style(kind, status.padEnd(9)), id.slice(0, 12), about, ...change, `${amount(tokens)} tokens`];
  return [...parts, ...(cost > 0 ? [money(cost)] : []), ...rest].filter((part) => part !== '').join('  ');
}

/** What was refused, with how often and the flag or rule that would allow it. */
export function describeRefused(lines: readonly ResultLine[]): readonly string[] {
  const groups = new Map<string, {readonly call: RefusedCall; count: number}>();
  for (const call of lines.flatMap(({refused}) => refused)) {
    const key = `${call.tool}\n${call.reason}`;
    const group = groups.get(key) ?? {call, count: 0};
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count)
    .flatMap(({call, count}) => [
      `${count} times  ${call.tool}  ${oneLine(JSON.stringify(call.input))}`,
      `  ${oneLine(call.reason)}`,
      `  A rule that would help: allow = [${JSON.stringify(ruleFor(call))}] in the plan, or in a policy.`,
    ]);
}

/** The narrowest rule that can be read from one call. */
function ruleFor({tool, input}: RefusedCall): string {
  const {command} = (input ?? {}) as {readonly command?: unknown};
  if (tool !== 'run_shell_command' || typeof command !== 'string') return tool;
  return `run_shell_command(${oneLine(command)})`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
