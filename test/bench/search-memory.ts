import {openSearch} from './search.js';

/** Runs one search of `grep_search` in a process of its own, for its memory: pattern, most matches, directory. */
const [pattern = '', most = '1', ...roots] = process.argv.slice(2);
const kernel = await openSearch(roots);
const {status} = await kernel.session.call({tool: 'grep_search', input: {pattern, total_max_matches: Number(most)}});
if (status !== 'done') throw new Error(`grep_search ${status}`);
await kernel.close();
