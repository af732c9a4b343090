export {crc32} from './crc32.js';
export {createGit, type Git, type GitPlace} from './create-git.js';
export {fetchGit, hideCredentials, reasonOfGit, remoteCommit, type GitFetch} from './fetch-git.js';
export {fetchNpm, type FetchedPackage, type NpmFetch} from './fetch-npm.js';
export {readArchive, type ReadArchive} from './read-archive.js';
export {runGit, runNpm, type ProgramEnd, type ProgramName, type ProgramPlace} from './run-program.js';
export {SourceLimits, type LimitOptions, type SourceFile} from './source-limits.js';
