import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {PROBE_TOOL} from '../probe-rule.js';

/** Asks the rules about every call. */
export default listen('tool:judge', {
  probe: {tool: PROBE_TOOL},
  async run(call, {service}) {
    return (await service('policy')).judge(call);
  },
});
