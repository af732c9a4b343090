// What build programs use: the distribution's own build, and other tools that build plugins.
export {buildManifest, readSchema} from './build-manifest.js';
export {writeManifests} from './write-manifests.js';
