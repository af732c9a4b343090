export {findKeychain, type Keychain, type KeychainPlace} from './keychain.js';
export {MasterKey, type KeyPlace} from './master-key.js';
export {SealedFile} from './sealed-file.js';
export {findSecret, type FoundSecret, type SecretName} from './find-secret.js';
