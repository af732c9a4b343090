import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import shell from './settings/tools-shell.js';
import truncateOutput from './settings/truncate-output.js';

export interface ShellSettings {
  readonly timeoutMs: number;
  readonly inactivityMs: number;
  /** The maximum number of characters of output. */
  readonly shown: number;
  readonly isolateGit: boolean;
}

const FEWEST_SHOWN = 1000;
const MOST_SHOWN = 1_000_000;

/** Reads the settings for commands. A negative number counts as zero: no limit. */
export async function readShellSettings(settings: Settings): Promise<ShellSettings> {
  const [timeout, inactivity, shown, isolateGit] = await Promise.all([
    settings.value(shell.timeout),
    settings.value(shell.inactivityTimeout),
    settings.value(truncateOutput),
    settings.value(shell.isolateGit),
  ]);
  return {
    timeoutMs: Math.max(0, timeout) * 1000,
    inactivityMs: Math.max(0, inactivity) * 1000,
    shown: shown <= 0 ? MOST_SHOWN : Math.min(MOST_SHOWN, Math.max(FEWEST_SHOWN, shown)),
    isolateGit,
  };
}
