import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('resume', {
  description:
    'Go on with an earlier session: latest (when nothing follows), its number in --list-sessions, or its id.',
  type: 'string',
  commands: ['chat'],
  char: 'r',
  bare: 'latest',
  setting: 'session.resume',
});
