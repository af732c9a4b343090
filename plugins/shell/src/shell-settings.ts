import type {Settings} from '@gemini-kernel/plugin-settings/contract';

export interface ShellSettings {
  readonly timeoutMs: number;
  readonly inactivityMs: number;
  /** The most characters of output that are shown. */
  readonly shown: number;
  readonly isolateGit: boolean;
}

const DEFAULT_TIMEOUT_S = 3600;
const DEFAULT_INACTIVITY_S = 300;
const DEFAULT_SHOWN = 40_000;
const FEWEST_SHOWN = 1000;
const MOST_SHOWN = 1_000_000;

/** Reads what the settings say about commands. A number below zero counts as zero: no limit. */
export async function readShellSettings(settings: Settings): Promise<ShellSettings> {
  const number = async (key: string, otherwise: number): Promise<number> => {
    const value = await settings.get(key);
    return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : otherwise;
  };
  const [timeout, inactivity, shown, isolateGit] = await Promise.all([
    number('tools.shell.timeout', DEFAULT_TIMEOUT_S),
    number('tools.shell.inactivityTimeout', DEFAULT_INACTIVITY_S),
    number('tools.truncateToolOutputThreshold', DEFAULT_SHOWN),
    settings.get('tools.shell.isolateGit'),
  ]);
  return {
    timeoutMs: timeout * 1000,
    inactivityMs: inactivity * 1000,
    shown: shown === 0 ? MOST_SHOWN : Math.min(MOST_SHOWN, Math.max(FEWEST_SHOWN, shown)),
    isolateGit: isolateGit === true,
  };
}
