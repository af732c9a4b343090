import {defineSetting} from '@gemini-kernel/kernel';

/** Off until a person switches it on: records of sessions go to a model. */
export default defineSetting('experimental.autoMemory', {
  schema: {type: 'boolean'},
  default: false,
  description:
    'Look through idle sessions in the background, without secrets, and propose skills and notes. They wait in ' +
    '/memory inbox. A project cannot switch it on.',
  category: 'Learning',
});
