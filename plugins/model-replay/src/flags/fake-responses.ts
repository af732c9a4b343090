import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('fake-responses', {
  description: 'Replay all model answers from this recording; no model is asked.',
  type: 'string',
  commands: ['acp', 'chat'],
  setting: 'model.fakeResponses',
});
