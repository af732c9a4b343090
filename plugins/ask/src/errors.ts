import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  ANSWERS_UNREADABLE: {when: 'The file of --answers cannot be read, or is not an object of answers.', exit: 42},
  QUESTION_INVALID: {when: 'A question of a model lacks something: its text, or the options of a choice.'},
  QUESTION_UNANSWERED: {when: 'A model asks a question in a run without a person, and the file of --answers lacks it.'},
} as const satisfies ErrorTable;
