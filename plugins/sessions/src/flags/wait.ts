import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('wait', {
  description:
    'With --resume: wait for a session that another process has, at most so many seconds; without a number as ' +
    'long as it takes.',
  type: 'string',
  commands: ['chat'],
  bare: '',
  setting: 'session.wait',
});
