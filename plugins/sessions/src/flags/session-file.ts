import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('session-file', {
  description:
    'Start a new session from the conversation in this file, as written by `gemini sessions export --format json`.',
  type: 'string',
  commands: ['chat'],
  setting: 'session.file',
});
