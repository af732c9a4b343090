import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  PATTERN_INVALID: {
    when:
      'A regular expression cannot be read, and the sentence names the position; or a glob pattern is too much, and ' +
      'it says why.',
  },
  SEARCH_PATH_IGNORED: {when: 'The directory or file to search in is left out by the ignore rules.'},
  SEARCH_PATH_UNUSABLE: {
    when: 'The directory or file to search in does not exist, cannot be looked at, or is of the wrong kind.',
  },
  SEARCH_TIMEOUT: {when: 'A search took longer than two minutes.'},
} as const satisfies ErrorTable;
