// What decides which plugins may be installed and loaded. For hosts, and for plugins that install plugins.
export {
  BUNDLE_MEMORY,
  bundleSignersOf,
  readAppliedBundle,
  readBundleMemory,
  signedBundleText,
  type AppliedLock,
  type AppliedPlace,
  type AppliedReading,
  type BundleMemory,
  type RememberedBundle,
} from './applied-bundle.js';
export {findBlocked} from './find-blocked.js';
export {digestOf, hashTree, listTree, type TreeEntry} from './hash-tree.js';
export {lendPackages} from './lend-packages.js';
export {readLock, storeName, type LockedDependency, type LockedPlugin, type PluginsLock} from './lock.js';
export {
  describeSource,
  durationOf,
  findRuleFault,
  namesContent,
  ruleFor,
  type ManagedRules,
  type PluginFacts,
  type PluginMode,
  type PluginRule,
} from './managed-rules.js';
export type {Provenance, ProvenanceRule} from './provenance.js';
export {
  checkOwner,
  markManaged,
  readManagedRules,
  type ManagedPlace,
  type ManagedReading,
} from './read-managed-rules.js';
export {
  findSignatureFault,
  parseSignature,
  signPackage,
  SIGNATURE_FILE,
  signText,
  verifyAlone,
  verifyPackage,
  type PublicKeys,
  type Signature,
  type SigningKey,
} from './signature.js';
export {matchesSource, normaliseLocation, type PluginSource, type SourceRule} from './source.js';
export {readManifest} from './read-manifest.js';
export {readNoted, verifyTree, type TreeCheck} from './verify-tree.js';
export {findRefusal, isReserved, mustProve, type AdmissionRules, type Candidate} from './admit.js';
