import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {holdsCode} from '../holds-code.js';

/** The tools of this plugin begin so. */
const OURS = /^code_/;

/** Where there is no code, the model need not know that it could be read as code. */
export default listen('tools:offer', {
  async run({value}, {service}) {
    if (!value.some((name) => OURS.test(name))) return value;
    const roots = await (await service('workspace')).roots();
    if (!roots.some(({path}) => holdsCode(path))) return value.filter((name) => !OURS.test(name));
    // Without what it writes with, it could do nothing.
    return value.includes('replace') ? value : value.filter((name) => name !== 'code_edit');
  },
});
