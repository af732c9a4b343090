import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  BUILD_INVALID: {when: 'A plugin folder cannot be built: a file has no right default export, a name is wrong, or the package lacks a field.'},
} as const satisfies ErrorTable;
