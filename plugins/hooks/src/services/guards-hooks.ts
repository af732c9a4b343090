import {provide} from '@gemini-kernel/kernel';
import type {GuardSource} from '@gemini-kernel/plugin-doctor/contract';
import type {} from '../contract.js';
import {describeHook} from '../describe-hook.js';
import {isGuard, proveHook} from '../prove-hook.js';

/** Proves the hooks that guard: each gets the event that its probe declares. */
export default provide('guards:hooks', {
  version: '1.0.0',
  scope: 'session',
  reserved: true,
  methods: ['prove'],
  create: ({service}): GuardSource => ({
    async prove(signal) {
      const hooks = await service('hooks');
      const guards = (await hooks.list()).filter(isGuard);
      return Promise.all(
        guards.map(async (hook) => ({
          name: hook.name,
          details: describeHook(hook),
          ...(await proveHook(hook, hooks, signal)),
        })),
      );
    },
  }),
});
