import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws, or ends a prompt with. */
export default {
  MODEL_UNKNOWN: {
    when: 'A model is named by a provider that is not there, or by none where there are several.',
    exit: 42,
  },
  MODEL_AUTH: {when: 'A model cannot be asked because a key is missing or was refused.', exit: 41},
  MODEL_QUOTA: {when: 'A model was asked too often, or a quota is used up, and no other model may be asked.', exit: 60},
  MODEL_OVERLOADED: {when: 'A model was there and could not answer, again and again.', exit: 61},
  MODEL_BLOCKED: {when: 'A model will not answer this.', exit: 59},
  MODEL_REQUEST_INVALID: {when: 'A model refused the form of a request, or does not exist.'},
  MODEL_UNREACHABLE: {when: 'A model cannot be reached, or its answer broke off again and again.', exit: 62},
  ANSWER_INVALID: {when: 'A model gave no answer that can be used, several times in a row.'},
  ANSWER_MISFIT: {
    when: 'The answer is not JSON of the form that --output-schema asks for, not at the second attempt either.',
    exit: 58,
  },
  CALLS_EXCESSIVE: {when: 'A model asks for more calls in one answer than are run.'},
  CALL_MALFORMED: {when: 'The arguments of a call are not JSON.'},
  CALL_LOOP: {when: 'A model makes the same calls again and again.'},
  MODEL_LOOPING: {when: 'A model repeated itself after it was told, and was stopped.', exit: 57},
  COMMAND_FAILED: {when: 'A slash command of a source failed, or gave what is no prompt and no message.'},
  COMMAND_INPUT_INVALID: {
    when: 'A slash command of a source lacks a required argument, or was given one that it does not have.',
    exit: 42,
  },
  CONTEXT_TOO_LONG: {when: 'A conversation is longer than the model takes, even compressed.'},
  TURNS_EXHAUSTED: {
    when: 'A conversation has used the turns that --max-turns or model.maxSessionTurns gives it.',
    exit: 53,
  },
  COST_EXHAUSTED: {when: 'A conversation has cost what --max-cost or model.maxSessionCost allows.', exit: 53},
  TIME_EXHAUSTED: {when: 'A run has taken as long as --timeout allows.', exit: 53},
  COST_UNKNOWN: {when: 'A limit of cost is given, and the price of a model is not known.', exit: 42},
  PROMPT_REFUSED: {when: 'A plugin did not let a prompt through.', exit: 56},
  CALLS_REFUSED: {when: 'Calls were refused in a run with --fail-on-refused.', exit: 56},
  LIMIT_INVALID: {
    when: 'The value of --max-turns, --max-cost or --timeout is not a number, or not a duration.',
    exit: 42,
  },
  PROMPT_FILE_UNREADABLE: {when: 'The file of --prompt-file cannot be read, or is not text.', exit: 42},
  PROMPT_FILE_INVALID: {
    when: 'The head of a prompt file has a line that cannot be read, or sets what a file may not set.',
    exit: 42,
  },
  PROMPT_ARGUMENTS_WRONG: {
    when: 'A prompt file is given fewer arguments than it uses, or arguments that it does not use.',
    exit: 42,
  },
  PROMPT_UNKNOWN: {when: 'A conversation is to go back to a prompt that it does not have.', exit: 42},
  PROMPT_EMPTY: {when: 'There is no prompt, neither in the arguments nor on standard input.', exit: 42},
  PROMPT_TWICE: {when: 'A prompt is given as a flag and as words.'},
  SCHEMA_UNREADABLE: {when: 'The file of --output-schema cannot be read, or is not a JSON Schema.', exit: 42},
  SYSTEM_FILE_UNREADABLE: {when: 'The file that GEMINI_SYSTEM_MD names cannot be read.', exit: 42},
  TERMINAL_NEEDED: {when: 'A conversation with a person is asked for where there is no terminal.', exit: 42},
  UI_MISSING: {when: 'A conversation with a person is asked for and no plugin provides a user interface.'},
  CONVERSATION_UNKNOWN: {when: 'A conversation is to be steered that is not open.'},
  CONVERSATION_NEEDED: {when: 'A command that belongs into a conversation runs outside of one.', exit: 42},
} as const satisfies ErrorTable;
