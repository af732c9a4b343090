import type {ErrorTable} from '@gemini-kernel/kernel';

/** The codes of what may not be installed or loaded. A host adds them to its own. */
export const admissionErrors: ErrorTable = {
  LOCK_UNREADABLE: {when: 'A plugins.lock.json is damaged, or may not be read.', exit: 52},
  MANAGED_UNMET: {
    when:
      'The rules of an administrator cannot be relied on, or ask for what is not there, and ' + 'there is no terminal.',
    exit: 52,
  },
  MANIFEST_INVALID: {when: 'A gemini.plugin.json does not follow the published schema.'},
  MANIFEST_UNREADABLE: {when: 'A gemini.plugin.json is missing or not JSON.'},
};
