// What a start needs of admission: nothing here loads node:crypto.
export {findRefusal, isReserved, mustProve, type AdmissionRules, type Candidate} from './admit.js';
export {isInside} from './checked-files.js';
export {findExpired, findFolderFault} from './bundle-folder.js';
export {findSettingFaults, type SettingKeys} from './find-setting-faults.js';
export {findPlaces, type Places} from './find-places.js';
export {lendPackages} from './lend-packages.js';
export {readLock, storeName, type LockedPlugin, type PluginsLock} from './lock.js';
export {
  checkOwner,
  markManaged,
  readManagedRules,
  type ManagedPlace,
  type ManagedReading,
} from './read-managed-rules.js';
export {readManifest} from './read-manifest.js';
export {verifyTree} from './verify-tree.js';
