import type {ExtensionInfo, UnusedReason} from '../contract.js';
import type {Manifest} from '../manifest/read-manifest.js';

/** An extension that is there, before it is decided whether it is used. */
export interface FoundExtension extends Pick<ExtensionInfo, 'name' | 'folder' | 'source' | 'state' | 'isManaged'> {
  readonly manifest?: Manifest;
  readonly unused?: {readonly reason: UnusedReason; readonly sentence: string};
}
