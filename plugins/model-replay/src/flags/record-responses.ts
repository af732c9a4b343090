import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('record-responses', {
  description: 'Record what models say to this file, for --model replay:<file>.',
  type: 'string',
  commands: ['chat'],
  setting: 'model.recordResponses',
});
