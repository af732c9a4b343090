import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  EXTENSION_EXISTS: {when: 'There is already an extension, or a folder, of this name.'},
  EXTENSION_INVALID: {when: 'A folder does not hold an extension that can be used.'},
  EXTENSION_REFUSED: {when: 'An extension was not agreed to, or the administrator does not allow it.'},
  EXTENSION_SECRETS_BROKEN: {when: 'The secrets of extensions cannot be read or written.'},
  EXTENSION_UNKNOWN: {when: 'There is no extension of this name.'},
  EXTENSION_UNREACHABLE: {when: 'The source of an extension cannot be fetched.'},
  EXTENSION_UNWRITABLE: {when: 'An extension, or what is known about extensions, cannot be written.'},
  EXTENSION_VALUE_MISSING: {when: 'A value of an extension was to come from standard input, and did not.'},
} as const satisfies ErrorTable;
