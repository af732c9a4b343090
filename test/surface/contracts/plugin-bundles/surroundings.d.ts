import type { InstallPlaces } from '@gemini-kernel/admission/contract';
import type { Environment } from '@gemini-kernel/kernel';
export interface Surroundings extends Environment {
  readonly installs: InstallPlaces;
}
