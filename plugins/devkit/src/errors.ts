import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  BUILD_INVALID: {
    when:
      'A plugin folder cannot be built: a file has no right default export, a name is wrong, or the package lacks a ' +
      'field.',
  },
  CODE_UNCOMPILED: {when: 'The TypeScript of a plugin does not compile.'},
  NPM_MISSING: {when: 'npm, which is needed to pack a plugin, is not on the PATH.'},
  PACK_REFUSED: {when: 'A plugin was not packed: it has errors, its key is unusable, or npm failed.'},
  PACKAGE_UNLENT: {
    when: 'The kernel, oclif or the contract of a plugin cannot be linked into the node_modules of a plugin.',
  },
  PLUGIN_NAME_INVALID: {
    when: 'The name of a new plugin is not a valid package name, or is reserved.',
    exit: 42,
  },
  PLUGIN_FOLDER_OCCUPIED: {
    when: 'The folder for a new plugin is not empty, or not writable.',
    exit: 42,
  },
  TIER_MISSING: {when: 'Tests are to run with the plugin in a process of its own, and nothing here can do that.'},
  TESTS_MISSING: {when: 'A plugin has no tests to run.'},
} as const satisfies ErrorTable;
