import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {present} from '../present.js';

/** Reports may be gone from a summarised or rewound history, so everything is reported again. */
export default listen('history:change', {
  filter: {live: true, present},
  async run({change}, {service}) {
    const isLost = change.kind === 'rewind' || (change.kind === 'replace' && change.why === 'compressed');
    if (isLost) await (await service('editor-context')).reset();
  },
});
