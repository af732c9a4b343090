import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  PAGE_FORBIDDEN: {when: 'The robots.txt of a site forbids a page, or cannot be read, and web.robots is on.'},
  PAGE_RATE: {when: 'A host was asked for too many pages within a minute.'},
  PAGE_TOO_LARGE: {when: 'A page is larger than what is read, packed or unpacked.'},
  PAGE_UNREACHABLE: {when: 'A page cannot be fetched: the connection, the time, or too many redirects.'},
  PAGE_UNREADABLE: {when: 'A page is neither text, nor a picture or document that models read.'},
  SEARCH_FAILED: {when: 'A search provider cannot be asked, or answers with something else than results.'},
  URL_INVALID: {when: 'An address is not one of http or https, or contains a password.'},
  URL_PRIVATE: {when: 'An address, or what its name resolves to, is not on the public internet.'},
} as const satisfies ErrorTable;
