import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('session-file', {
  description:
    'Start a new session with the conversation in this file, as gemini sessions export --format json writes it.',
  type: 'string',
  commands: ['chat'],
  setting: 'session.file',
});
