import {defineSetting} from '@gemini-kernel/kernel';

/** How much of a request context files may be. */
export default defineSetting('context.memoryBudget', {
  schema: {type: 'integer', minimum: 0},
  default: 10_000,
  description:
    'About how many tokens all context files together may have before a warning is shown; 0 for no warning. Nothing ' +
    'is left out.',
  category: 'Context',
});
