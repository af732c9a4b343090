import {KernelError, provide} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '../contract.js';
import {readOwnSettings, readSettingsText} from '../settings-file.js';

/** Files that the product keeps for people. */
export default provide('config-files', {
  version: '1.0.0',
  scope: 'place',
  methods: ['read', 'replace', 'readJSON', 'setJSON', 'findAccessFault'],
  create({environment, signal}): ConfigFiles {
    return {
      read: (path) => readSettingsText(path),
      readJSON: (path) => readOwnSettings(path, environment.home),
      async replace(path, before, after) {
        const {updateText} = await import('../update-text.js');
        let replaced = false;
        await updateText(path, {
          mode: 0o600,
          signal,
          edit: (found) => ((replaced = found === before) ? after : undefined),
        });
        return replaced;
      },
      async findAccessFault(path, subject) {
        const {findAccessFault, readSecurityDescriptors} = await import('../windows-access.js');
        const descriptors = await readSecurityDescriptors([path], environment.variables);
        return descriptors ? findAccessFault(descriptors[0] ?? '', subject) : 'Windows did not say who may change it';
      },
      async setJSON(path, key, value) {
        const [{updateText}, {editSettingsText}, {parseSettings}] = await Promise.all([
          import('../update-text.js'),
          import('../edit-settings-text.js'),
          import('../settings-file.js'),
        ]);
        await updateText(path, {
          mode: 0o600,
          signal,
          async edit(before) {
            if (before === undefined && value === undefined) return undefined;
            if (before !== undefined) await parseSettings(path, before);
            const after = editSettingsText(before ?? '{}\n', key, value);
            if (after === undefined)
              throw new KernelError(
                'SETTING_MISFIT',
                `${key.join('.')} cannot be set in ${path}: what is there is not an object.`,
                {hint: 'Fix the file and try again; it was not changed.'},
              );
            return after;
          },
        });
      },
    };
  },
});
