import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../contract.js';

export default listen('settings:project', {
  async run(_, {service}) {
    const trust = await service('trust');
    if (await trust.may('settings')) return {decision: 'allow', reason: 'The folder is trusted.'};
    const {reason} = await trust.state();
    return {decision: 'deny', reason: `the folder is not trusted. ${reason} (gemini trust add)`};
  },
});
