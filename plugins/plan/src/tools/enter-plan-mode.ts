import {defineTool} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {instructionsFor} from '../instructions.js';
import {ENTER} from '../tool-names.js';

export default defineTool({
  name: ENTER,
  description:
    'Changes to plan mode, in which you only look, and then present a plan that the user approves. Use it before a ' +
    'large or risky change whose way is not clear.',
  effect: 'other',
  annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    properties: {reason: {type: 'string', description: 'Why a plan is better here, as a sentence for the user.'}},
  },
  async preview({reason}) {
    return {kind: 'text', text: reason ?? 'The model wants to plan before it changes anything.'};
  },
  async run(_, {service}) {
    const {mode, folder} = await (await service('plans')).enter();
    return {
      model: `This is plan mode now.\n${instructionsFor(folder)}`,
      display: 'plan mode',
      data: {mode, folder},
    };
  },
});
