import type {} from '@gemini-kernel/kernel';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';

/** Recordings that are played back, and the one that is made. */
export interface Recordings {
  /** The next answer of a recording; undefined when all were given. Throws KernelError RECORDING_UNREADABLE. */
  next(name: string): Promise<readonly ModelEvent[] | undefined>;
  /** How many answers were given of a recording so far. */
  given(name: string): Promise<number>;
  /** The recording that answers instead of every model, and the file to record to, from the settings. */
  wanted(): Promise<{readonly replay?: string; readonly record?: string}>;
  /** Keeps one piece of what a model says; the last piece of an answer writes it. */
  keep(model: string, event: ModelEvent): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    recordings: Recordings;
  }
}
