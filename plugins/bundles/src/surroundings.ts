import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Environment} from '@gemini-kernel/kernel';

/** How the process was started, and where it keeps plugins and bundles. */
export interface Surroundings extends Environment {
  readonly installs: InstallPlaces;
}
