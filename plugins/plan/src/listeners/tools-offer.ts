import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {ENTER, EXIT} from '../tool-names.js';

/** Where plan mode is turned off, the model need not know of it. */
export default listen('tools:offer', {
  async run({value}, {service}) {
    const isOff = (await (await service('settings')).get('general.plan.enabled')) === false;
    return isOff ? value.filter((name) => name !== ENTER && name !== EXIT) : value;
  },
});
