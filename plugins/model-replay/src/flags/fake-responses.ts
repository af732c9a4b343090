import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('fake-responses', {
  description: 'Take the answers of every model from this recording; nobody is asked.',
  type: 'string',
  commands: ['chat'],
  setting: 'model.fakeResponses',
});
