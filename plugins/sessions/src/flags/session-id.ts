import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('session-id', {
  description: 'Start a new session with this id (letters, digits, - and _).',
  type: 'string',
  commands: ['chat'],
  setting: 'session.id',
});
