import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  BUILD_INVALID: {
    when:
      'A plugin folder cannot be built: a file has no right default export, a name is wrong, or the package lacks a ' +
      'field.',
  },
  CODE_UNCOMPILED: {when: 'The TypeScript of a plugin does not compile.'},
  NPM_MISSING: {when: 'There is no npm on the PATH, and a plugin is to be packed.'},
  PACK_REFUSED: {when: 'A plugin is not packed: it has errors, its key cannot be used, or npm cannot pack it.'},
  PACKAGE_UNLENT: {
    when: 'The kernel, oclif or the contract of a plugin cannot be linked into the node_modules of a plugin.',
  },
  PLUGIN_NAME_INVALID: {
    when: 'A new plugin was to have a name that no package may have, or that belongs to others.',
    exit: 42,
  },
  PLUGIN_FOLDER_OCCUPIED: {
    when: 'A new plugin was to be made where something is already, or where nothing can be written.',
    exit: 42,
  },
  TESTS_MISSING: {when: 'A plugin was to be tested and has no tests.'},
} as const satisfies ErrorTable;
