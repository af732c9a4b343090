import type {Task} from '../contract.js';

const SIGNS: Readonly<Record<Task['status'], string>> = {open: '☐', in_progress: '▶', blocked: '⏸', closed: '☑'};

/** One line for each task, parts below what they are a part of. */
export function showTasks(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'No tasks.';
  const closed = tasks.filter(({status}) => status === 'closed').length;
  return [`${closed} of ${tasks.length} closed`, ...linesOf(tasks, rootsOf(tasks), '')].join('\n');
}

/** Tasks of no other task that is shown. */
function rootsOf(tasks: readonly Task[]): readonly Task[] {
  const ids = new Set(tasks.map(({id}) => id));
  return tasks.filter(({parentId}) => !parentId || !ids.has(parentId));
}

function linesOf(tasks: readonly Task[], level: readonly Task[], indent: string): readonly string[] {
  return level.flatMap((task) => [
    `${indent}${SIGNS[task.status]} ${task.id} ${describe(task)}`,
    ...linesOf(
      tasks,
      tasks.filter(({parentId}) => parentId === task.id),
      `${indent}  `,
    ),
  ]);
}

function describe({title, type, dependencies}: Task): string {
  const kind = type === 'task' ? '' : ` [${type}]`;
  const after = dependencies.length > 0 ? ` (after ${dependencies.join(', ')})` : '';
  return `${title.replace(/\s+/g, ' ').trim()}${kind}${after}`;
}

/** One task, with everything about it. */
export function describeTask(task: Task): string {
  const {id, type, status, title, description, parentId, dependencies} = task;
  const rows = [
    `${id} [${type}, ${status}] ${title}`,
    ...(parentId ? [`part of ${parentId}`] : []),
    ...(dependencies.length > 0 ? [`after ${dependencies.join(', ')}`] : []),
    ...(description.trim() === '' ? [] : ['', description]),
  ];
  return rows.join('\n');
}
