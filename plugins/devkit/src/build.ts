// For build programs: the build of the distribution, and other tools that build plugins.
export {buildManifest, readSchema} from './build-manifest.js';
export {writeManifests} from './write-manifests.js';
