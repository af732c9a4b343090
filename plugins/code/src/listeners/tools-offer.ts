import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {holdsCode} from '../holds-code.js';

/** The tools of this plugin begin so. */
const OURS = /^code_/;
/** It needs a language server. */
const DIAGNOSTICS = 'code_diagnostics';

/** Where there is no code, the model need not know that it could be read as code. */
export default listen('tools:offer', {
  async run({value}, {service}) {
    if (!value.some((name) => OURS.test(name))) return value;
    const roots = await (await service('workspace')).roots();
    if (!roots.some(({path}) => holdsCode(path))) return value.filter((name) => !OURS.test(name));
    const isUseful = async (): Promise<boolean> =>
      (await service('code-servers')).isUseful(roots.map(({path}) => path));
    const missing = [
      // Without what it writes with, it could do nothing.
      ...(value.includes('replace') ? [] : ['code_edit']),
      ...(value.includes(DIAGNOSTICS) && !(await isUseful()) ? [DIAGNOSTICS] : []),
    ];
    return missing.length === 0 ? value : value.filter((name) => !missing.includes(name));
  },
});
