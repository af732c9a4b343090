import {lstatSync} from 'node:fs';
import {posix, win32} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';

/** The four files that hold settings. */
export interface SettingsPlaces {
  readonly systemDefaults: string;
  readonly user: string;
  readonly workspace: string;
  readonly system: string;
  /** Variables that name another system file in vain. */
  readonly unused: readonly string[];
}

const SYSTEM_FILES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/GeminiCli/settings.json',
  win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
};
const VARIABLES = {system: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', defaults: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'} as const;

/**
 * Where each file lies, on any platform. A variable moves a system file only while there is none in its usual place.
 */
export function findSettingsPlaces({
  cwd,
  home,
  platform,
  variables,
}: Pick<Environment, 'cwd' | 'home' | 'platform' | 'variables'>): SettingsPlaces {
  const {dirname, join} = platform === 'win32' ? win32 : posix;
  const usual = SYSTEM_FILES[platform] ?? '/etc/gemini-cli/settings.json';
  const unused: string[] = [];
  const settle = (variable: string, fixed: string, fallback: string): string => {
    const named = variables[variable];
    if (!named) return fallback;
    if (named === fixed || !isThere(fixed)) return named;
    unused.push(variable);
    return fixed;
  };
  const system = settle(VARIABLES.system, usual, usual);
  const usualDefaults = join(dirname(usual), 'system-defaults.json');
  const systemDefaults = settle(
    VARIABLES.defaults,
    usualDefaults,
    system === usual || isThere(usualDefaults) ? usualDefaults : join(dirname(system), 'system-defaults.json'),
  );
  return {
    systemDefaults,
    user: join(home, '.gemini', 'settings.json'),
    workspace: join(cwd, '.gemini', 'settings.json'),
    system,
    unused,
  };
}

/** A link that leads nowhere is there too: reading it says what is wrong. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
  } catch {
    // What hinders this look hinders the reading too, which says why.
    return true;
  }
}
