export {Keeper} from './keeper.js';
export {givenWords} from './given-words.js';
export {hasBrowser, openBrowser, type BrowserPlace} from './open-browser.js';
export {passDescriptors, type PassedDescriptor, type Passing} from './passed-descriptors.js';
export {passedVariables} from './passed-variables.js';
export {ProcessGroups, type ProcessStart, type Spawn} from './process-groups.js';
export {runAttached, type Attached} from './run-attached.js';
export {runProcess, type ProcessEnd, type ProcessRequest} from './run-process.js';
