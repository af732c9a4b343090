import {defineSetting} from '@gemini-kernel/kernel';

/** Where a run without a person continues. */
export default defineSetting('general.plan.approvedMode', {
  schema: {type: 'string', enum: ['default', 'auto_edit']},
  default: 'default',
  description: 'The approval mode after a plan that a rule approved, in a run without a person.',
  category: 'General',
});
