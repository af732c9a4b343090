import type {QueueItem} from '../contract.js';
import {lineOf, taskOf} from '../results/result.js';
import {amount, money} from './describe.js';

/** All that is known of a task, a line each. */
export function explainItem(item: QueueItem, dim: (text: string) => string): readonly string[] {
  const line = lineOf(item);
  const {prompt, mode, allow, isTrusted, isConfined, model = 'the default'} = taskOf(item);
  const table: readonly (readonly [string, string | undefined])[] = [
    ['task', line.id],
    ['state', `${line.status}, ${line.attempts} of ${item.task.attempts ?? 1} attempts`],
    ['error', line.error && `${line.error.code}: ${line.error.message}`],
    ['repository', line.repository],
    ['begins with', line.base],
    ['branch', line.branch],
    ['commit', line.commit],
    ['changed', line.files.length === 0 ? undefined : line.files.join(', ')],
    ['ignored', line.ignored && `${line.ignored.join(', ')}: git ignores it there, so it is not in the commit`],
    ['used', `${amount(line.tokens)} tokens${line.cost > 0 ? `, ${money(line.cost)}` : ''}`],
    ['model', `${model}, mode ${mode}${isConfined ? ', confined' : ''}${isTrusted ? ', trusted' : ''}`],
    ['allowed', allow.length === 0 ? undefined : allow.join(', ')],
    ['session', line.session && `${line.session} on ${line.machine ?? 'a machine'}`],
    ['prompt', prompt],
    ['answer', line.answer],
  ];
  return table.flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [`${dim(name.padEnd(11))} ${value.replaceAll('\n', `\n${' '.repeat(12)}`)}`],
  );
}
