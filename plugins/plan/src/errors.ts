import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  PLAN_DIRECTORY_OUTSIDE: {when: 'general.plan.directory names a folder that is not inside the project.', exit: 42},
  PLAN_DISABLED: {when: 'Plan mode is turned off by general.plan.enabled.', exit: 42},
  PLAN_INVALID: {when: 'A model presents a plan without a text, or with a name that is not that of a Markdown file.'},
  PLAN_NEEDS_CONVERSATION: {when: '/plan was used outside a conversation.', exit: 42},
  PLAN_UNKNOWN: {when: 'This session has no plan of that name, or none at all.'},
  PLAN_UNREADABLE: {when: 'The file of a plan cannot be read.'},
} as const satisfies ErrorTable;
