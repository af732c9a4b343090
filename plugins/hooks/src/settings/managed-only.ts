import {defineSetting} from '@gemini-kernel/kernel';

/** Whether only the administrator's hooks run. */
export default defineSetting('hooksConfig.managedOnly', {
  schema: {type: 'boolean'},
  default: false,
  description: "Run only the administrator's hooks and those of applied bundles. A project's value does not count.",
  category: 'Hooks',
});
