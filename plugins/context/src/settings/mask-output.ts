import {defineSetting} from '@gemini-kernel/kernel';

/** Whether requests leave out old tool output. */
export default defineSetting('context.maskToolOutput', {
  schema: {type: 'boolean'},
  default: true,
  description:
    'Leave old tool output out of requests: it is kept in files, and the model can read it again. Saves tokens in ' +
    'long conversations.',
  category: 'Context',
});
