import type {JSONSchema} from '@gemini-kernel/kernel';

const id = {type: 'string', pattern: '^[0-9a-f]{6}$', description: 'The id of the task.'} as const;

/** The parameters of the tracker's tools, by their names in Gemini CLI. */
export const fields = {
  id,
  parentId: {...id, description: 'The id of the task that it is a part of.'},
  dependencyId: {...id, description: 'The id of the task that must be closed first.'},
  dependencies: {
    type: 'array',
    maxItems: 100,
    items: id,
    description: 'Ids of all tasks that must be closed before it.',
  },
  title: {type: 'string', minLength: 1, maxLength: 200, description: 'A few words, shown in lists.'},
  description: {type: 'string', maxLength: 20_000, description: 'What is to be done, and when it counts as done.'},
  type: {type: 'string', enum: ['epic', 'task', 'bug'], description: 'An epic has parts.'},
  status: {type: 'string', enum: ['open', 'in_progress', 'blocked', 'closed'], description: 'Its status.'},
} as const satisfies Readonly<Record<string, JSONSchema>>;
