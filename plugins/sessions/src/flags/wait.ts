import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('wait', {
  description:
    'With --resume: wait up to this many seconds for a session that another process has; without a ' +
    'number, wait as long as it takes.',
  type: 'string',
  commands: ['chat'],
  bare: '',
  setting: 'session.wait',
});
