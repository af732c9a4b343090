import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  SKILL_CHANGED: {when: 'A skill changed between the question about it and its activation.'},
  SKILL_INSTALL_FAILED: {when: 'A skill cannot be fetched, unpacked or written.'},
  SKILL_INVALID: {when: 'A folder, an archive or a test case is not what a skill requires.', exit: 42},
  SKILL_NOT_AGREED: {when: 'A skill was not installed, because you did not agree or could not be asked.'},
  SKILL_UNKNOWN: {when: 'There is no skill of this name, or it is disabled.', exit: 42},
  SKILL_UNREADABLE: {when: 'The file of a skill can no longer be read.'},
} as const satisfies ErrorTable;
