import {KernelError, listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Without a person, no session begins in an untrusted folder; with one it begins in a mode that asks. */
export default listen('session:begin', {
  after: ['@gemini-kernel/plugin-policy'],
  critical: true,
  timeoutMs: 5000,
  async run({value}, {session, service}) {
    const trust = await service('trust');
    const {trusted, folder, reason, isRequired} = await trust.state();
    if (trusted) return value;
    if (!session.interactive) {
      throw new KernelError('FOLDER_UNTRUSTED', `${folder} is not a trusted folder. ${reason}`, {
        hint: isRequired
          ? 'Trust it with gemini trust add. Your administrator requires that: --skip-trust and ' +
            'GEMINI_CLI_TRUST_WORKSPACE do not count.'
          : 'Trust it with gemini trust add, or pass --skip-trust for one run.',
        data: {folder, reason},
      });
    }
    const mayChoose = await trust.may('approval-modes');
    return mayChoose || value.mode === 'plan' ? value : {...value, mode: 'default'};
  },
});
