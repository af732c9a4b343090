import {KernelError, listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Without a person a session does not begin where nobody is trusted; with one it begins in a mode that asks. */
export default listen('session:begin', {
  after: ['@gemini-kernel/plugin-policy'],
  critical: true,
  timeoutMs: 5000,
  async run({value}, {session, service}) {
    const trust = await service('trust');
    const {trusted, folder, reason, isRequired} = await trust.state();
    if (trusted) return value;
    if (!session.interactive) {
      throw new KernelError('FOLDER_UNTRUSTED', `${folder} is not trusted, and nobody is here to be asked. ${reason}`, {
        hint: isRequired
          ? 'Run gemini trust add in it. The administrator requires that, so --skip-trust and ' +
            'GEMINI_CLI_TRUST_WORKSPACE do not count.'
          : 'Run gemini trust add in it, or give --skip-trust for this once.',
        data: {folder, reason},
      });
    }
    const mayChoose = await trust.may('approval-modes');
    return mayChoose || value.mode === 'plan' ? value : {...value, mode: 'default'};
  },
});
