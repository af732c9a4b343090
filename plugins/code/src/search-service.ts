import type {Services} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-search/contract';

export type Search = Services['search'];
