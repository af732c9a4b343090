import {defineSetting} from '@gemini-kernel/kernel';

/** The model that plans. */
export default defineSetting('general.plan.model', {
  schema: {type: 'string'},
  description: 'The model in plan mode. The model of the conversation returns with the next mode.',
  category: 'General',
});
