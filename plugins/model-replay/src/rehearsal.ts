import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';

/** The name of the recording that the program brings along. */
export const REHEARSAL = 'rehearsal';

const stop: ModelEvent = {kind: 'end', reason: 'stop', model: REHEARSAL};

/** Answers for the sample project of `gemini tour`: it looks, changes a line, checks it, and says so. */
export const rehearsal: readonly (readonly ModelEvent[])[] = [
  [
    {kind: 'text', text: 'I will look at `greet` '},
    {kind: 'text', text: 'and at what is around it.\n'},
    {kind: 'call', id: 'look', name: 'read_file', input: {file_path: 'src/greet.js'}},
    {kind: 'call', id: 'list', name: 'list_directory', input: {dir_path: '.'}},
    stop,
  ],
  [
    {kind: 'text', text: 'It joins strings with `+`; a template says the same more plainly.\n'},
    {
      kind: 'call',
      id: 'edit',
      name: 'replace',
      input: {
        file_path: 'src/greet.js',
        instruction: 'Use a template string.',
        old_string: '"Hello, " + name',
        new_string: '`Hello, ${name}!`',
      },
    },
    stop,
  ],
  [{kind: 'call', id: 'check', name: 'read_file', input: {file_path: 'src/greet.js'}}, stop],
  [
    {
      kind: 'text',
      text: '`greet` in src/greet.js:2 now uses a template string, with an exclamation mark at its end.\n',
    },
    stop,
  ],
];
