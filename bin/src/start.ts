import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {LiveCatalog} from '@gemini-kernel/kernel/host';
import type {InstalledState} from './installed-state.js';
import type {Places} from '@gemini-kernel/admission/start';
import type {Surroundings} from './process-environment.js';
import type {Program} from './program.js';

/** What one start knows, as its steps find it out; each step gets it and says what it changes. */
export interface Start {
  readonly program: Program;
  readonly places: Places;
  readonly installs: InstallPlaces;
  readonly environment: Surroundings;
  /** As last read: a conversation reads it again when a linked plugin was built. */
  installed: InstalledState;
  /** What `installed` was joined to, less what a command leaves out. */
  readonly catalog: LiveCatalog;
  /** Aborted when the person interrupts a command that can be stopped. */
  readonly stop: AbortController;
}
