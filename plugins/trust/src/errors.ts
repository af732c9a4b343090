import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  FOLDER_UNTRUSTED: {when: 'A session without a person would begin in an untrusted folder.', exit: 55},
  TRUST_FOLDER_MISSING: {when: 'A folder that was to be trusted does not exist, or is not a folder.', exit: 42},
  TRUST_FILE_INVALID: {when: 'trustedFolders.json holds something that is not a level of trust.', exit: 52},
} as const satisfies ErrorTable;
