import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('resume', {
  description: 'Continue an earlier session: latest (the default), its number in --list-sessions, or its id.',
  type: 'string',
  commands: ['chat'],
  char: 'r',
  bare: 'latest',
  setting: 'session.resume',
});
