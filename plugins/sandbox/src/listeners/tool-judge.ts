import {listen, type Verdict} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {readAsked} from '../asked-permissions.js';

/** A command that asks for more than the sandbox gives is asked about in every mode, and denied in plan mode. */
export default listen('tool:judge', {
  filter: {tool: 'run_shell_command'},
  probe: {
    tool: 'run_shell_command',
    input: {command: 'true', additional_permissions: {fileSystem: {write: ['/']}}},
  },
  async run({input, session: {mode}}, {service}): Promise<Verdict | undefined> {
    const asked = readAsked(input);
    return asked && (await service('sandbox')).assess(asked, mode);
  },
});
