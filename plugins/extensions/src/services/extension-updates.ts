import {join} from 'node:path';
import {KernelError, messageOf, provide} from '@gemini-kernel/kernel';
import type {ExtensionUpdates} from '../contract.js';
import {judgeSource, readSourceRules} from '../installed/judge-extensions.js';
import {openLock} from '../live-extensions.js';

/** Looks for updates while the person writes the first prompt; nothing waits for it. */
export default provide('extension-updates', {
  version: '1.0.0',
  scope: 'session',
  methods: ['settled'],
  create({environment, names, service, session, signal, tell}): ExtensionUpdates {
    const look = async (): Promise<void> => {
      // What a script runs with does not change under it.
      if (!session.interactive || names('installs').length === 0) return;
      const settings = await service('settings');
      const [isOn, isFrozen] = await Promise.all(
        ['general.enableAutoUpdate', 'plugins.frozen'].map((key) => settings.getApart(key)),
      );
      if (isOn === false || isFrozen === true) return;
      const {autoUpdate} = await import('../store/auto-update.js');
      await autoUpdate({
        lock: await openLock({service}),
        ...{environment, signal, tell},
        record: join(environment.cacheDir, 'extensions', 'looked-for-updates'),
        now: new Date(),
        async judge(name, source) {
          const refused = judgeSource({name, source}, await readSourceRules(settings));
          if (refused) throw new KernelError('EXTENSION_REFUSED', refused.sentence);
        },
      });
    };
    const done = look().catch((error: unknown) => {
      if (!signal.aborted)
        tell({code: 'EXTENSION_NOT_UPDATED', sentence: `Extensions were not updated: ${messageOf(error)}`});
    });
    return {settled: () => done};
  },
  dispose: (updates) => updates.settled(),
});
