import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../contract.js';
import {INCLUDE_DIRECTORIES} from '../starting-roots.js';

/**
 * If a flag names an unusable directory, the session ends here, before each guard that asks for the workspace fails.
 */
export default listen('session:begin', {
  critical: true,
  async run({value}, {service}) {
    const {layers} = await (await service('settings')).explain(INCLUDE_DIRECTORIES);
    if (layers.some(({layer}) => layer === 'flag')) await service('workspace');
    return value;
  },
});
