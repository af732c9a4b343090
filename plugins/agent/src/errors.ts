import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws, or ends a prompt with. */
export default {
  EDITOR_FAILED: {when: 'The editor for a prompt could not be started, or ended with an error.'},
  EDITOR_MISSING: {when: 'There is no editor for a prompt: neither VISUAL nor EDITOR names one.'},
  KEYBINDINGS_INVALID: {when: 'The file keybindings.json is not valid, or cannot be read.'},
  MODEL_UNKNOWN: {
    when: 'A model names a provider that is not installed, or names none while there are several.',
    exit: 42,
  },
  MODEL_AUTH: {when: 'A model rejects the request because a key is missing or was refused.', exit: 41},
  MODEL_QUOTA: {when: 'A rate limit or quota of a model is reached, and there is no other model to try.', exit: 60},
  MODEL_OVERLOADED: {when: 'A model stayed overloaded after several attempts.', exit: 61},
  MODEL_BLOCKED: {when: 'A model refuses to answer this.', exit: 59},
  MODEL_REQUEST_INVALID: {when: 'A model rejected a request as invalid, or does not exist.'},
  MODEL_UNREACHABLE: {when: 'A model cannot be reached, or its answer broke off repeatedly.', exit: 62},
  ANSWER_INVALID: {when: 'A model gave no usable answer, several times in a row.'},
  ANSWER_MISFIT: {
    when: 'The answer does not match --output-schema after two attempts.',
    exit: 58,
  },
  CALLS_EXCESSIVE: {when: 'A model asks for too many calls in one answer.'},
  CALL_MALFORMED: {when: 'The arguments of a call are not JSON.'},
  CALL_LOOP: {when: 'A model repeats the same calls.'},
  MODEL_LOOPING: {when: 'A model repeated itself after a warning, and was stopped.', exit: 57},
  COMMAND_FAILED: {when: 'A slash command of a source failed, or returned neither a prompt nor a message.'},
  COMMAND_INPUT_INVALID: {
    when: 'A slash command of a source lacks a required argument, or has an unknown one.',
    exit: 42,
  },
  CONTEXT_TOO_LONG: {when: 'A conversation exceeds the input limit of the model, even compressed.'},
  TURNS_EXHAUSTED: {
    when: 'A conversation reached the limit of --max-turns or model.maxSessionTurns.',
    exit: 53,
  },
  COST_EXHAUSTED: {when: 'A conversation reached the limit of --max-cost or model.maxSessionCost.', exit: 53},
  TIME_EXHAUSTED: {when: 'A run reached the limit of --timeout.', exit: 53},
  COST_UNKNOWN: {when: 'A cost limit is set, but the price of a model is not known.', exit: 42},
  PROMPT_REFUSED: {when: 'A plugin refused a prompt.', exit: 56},
  CALLS_REFUSED: {when: 'Calls were refused in a run with --fail-on-refused.', exit: 56},
  LIMIT_INVALID: {
    when: 'The value of --max-turns, --max-cost or --timeout is not a number, or not a duration.',
    exit: 42,
  },
  PROMPT_FILE_UNREADABLE: {when: 'The file of --prompt-file cannot be read, or is not text.', exit: 42},
  PROMPT_FILE_INVALID: {
    when: 'The head of a prompt file has an invalid line, or sets what a prompt file may not set.',
    exit: 42,
  },
  PROMPT_ARGUMENTS_WRONG: {
    when: 'A prompt file got fewer arguments than it uses, or arguments that it does not use.',
    exit: 42,
  },
  PROMPT_UNKNOWN: {when: 'A conversation cannot rewind to a prompt that it does not have.', exit: 42},
  PROMPT_EMPTY: {when: 'There is no prompt, neither in the arguments nor on standard input.', exit: 42},
  PROMPT_TWICE: {when: 'A prompt is given both as a flag and as arguments.'},
  SCHEMA_UNREADABLE: {when: 'The file of --output-schema cannot be read, or is not a JSON Schema.', exit: 42},
  SYSTEM_FILE_UNREADABLE: {when: 'The file that GEMINI_SYSTEM_MD names cannot be read.', exit: 42},
  TERMINAL_NEEDED: {when: 'A conversation needs a terminal, and there is none.', exit: 42},
  UI_MISSING: {when: 'A conversation needs a user interface, and no plugin provides one.'},
  CONVERSATION_UNKNOWN: {when: 'There is no open conversation with this id.'},
  CONVERSATION_NEEDED: {when: 'A command for a conversation runs outside of one.', exit: 42},
} as const satisfies ErrorTable;
