import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Environment} from '@gemini-kernel/kernel';

/** What the process was started with, and where it keeps plugins and bundles. */
export interface Surroundings extends Environment {
  readonly installs: InstallPlaces;
}
