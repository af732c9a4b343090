import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('record-responses', {
  description: 'Record the answers of models to this file, for --model replay:<file>.',
  type: 'string',
  commands: ['acp', 'chat'],
  setting: 'model.recordResponses',
});
