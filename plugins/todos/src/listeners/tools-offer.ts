import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {isTracked} from '../tracker/is-tracked.js';
import {WRITE_TODOS} from '../tool-name.js';

const OF_TRACKER = /^tracker_/;

/** The model has one way to keep track of its work: the list of steps, or the tracker where that is turned on. */
export default listen('tools:offer', {
  async run({value}, {service}) {
    const settings = await service('settings');
    if (await isTracked(settings)) return value.filter((name) => name !== WRITE_TODOS);
    const hasTodos = (await settings.get('useWriteTodos')) !== false;
    return value.filter((name) => !OF_TRACKER.test(name) && (hasTodos || name !== WRITE_TODOS));
  },
});
