// For plugins that look at what was called.
export {hasFailed} from './has-failed.js';
