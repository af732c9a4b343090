import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {} from '../contract.js';

/** Tells connected servers that the workspace has other directories. */
export default listen('workspace:changed', {
  async run(_, {service}) {
    await (await service('mcp')).rootsChanged();
  },
});
