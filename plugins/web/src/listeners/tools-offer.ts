import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

const SEARCH = 'google_web_search';

/** Where no provider is configured, the model need not know that it could search. */
export default listen('tools:offer', {
  async run({value}, {service}) {
    if (!value.includes(SEARCH) || (await (await service('finder')).missing()) === undefined) return value;
    return value.filter((name) => name !== SEARCH);
  },
});
