import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {present} from '../present.js';

/** What the person looks at: in full at first, then what changed. */
export default listen('context:collect', {
  filter: {live: true, present},
  async run({isFirst}, {service}) {
    const context = await service('editor-context');
    if (isFirst) await context.reset();
    const text = await context.take();
    return text === undefined ? [] : [{place: 'prompt', title: 'Editor', text}];
  },
});
