import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  CODE_AMBIGUOUS: {when: 'Several symbols have the name, and a call needs one.'},
  CODE_EDIT_BREAKS: {
    when: 'An edit of a symbol lacks its text, would break a file, or would change more than is meant.',
  },
  CODE_EDIT_STOPPED: {when: 'An edit of a symbol was refused or failed in one of its files.'},
  CODE_LANGUAGE_UNKNOWN: {when: 'A file is in no language that the code tools read.'},
  CODE_SERVER_FAILED: {when: 'A language server ended, sent nonsense, or did not answer in time.'},
  CODE_SERVER_MISSING: {when: 'No installed language server answers for a file.'},
  CODE_SYMBOL_MISSING: {when: 'No symbol has the name.'},
  CODE_TOO_COMPLEX: {when: 'A file takes too long to read as code.'},
  CODE_UNREADABLE: {when: 'A file is too large, binary, or not UTF-8, so it is not read as code.'},
} as const satisfies ErrorTable;
