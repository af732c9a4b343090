import {lstatSync} from 'node:fs';
import {isKernelError, KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Layer} from './contract.js';
import type {JSONObject} from './key-path.js';
import {isSameDirectory} from './same-directory.js';
import {readOwnSettings, readSettings} from './settings-file.js';
import {findSettingsPlaces} from './settings-places.js';

/** What one layer says. */
export interface SettingsLayer {
  readonly layer: Layer;
  readonly source?: string;
  readonly values: JSONObject;
  readonly managed?: true;
}

/** What one file, or one bundle, says. */
export interface FileLayer extends SettingsLayer {
  readonly source: string;
}

/** Reads the files that are there, weakest first. Throws KernelError SETTINGS_BROKEN or SETTINGS_UNREADABLE. */
export async function readFiles(
  environment: Environment,
  warn: (sentence: string) => void,
  withProject: boolean,
): Promise<FileLayer[]> {
  const places = findSettingsPlaces(environment);
  for (const name of places.unused)
    warn(`The variable ${name} is not used: the administrator of this machine has the file in its usual place.`);
  const readings = await Promise.allSettled([
    readSystem(places.systemDefaults, environment, warn),
    readOwnSettings(places.user, environment.home),
    !withProject || places.workspace === places.user ? undefined : readSettings(places.workspace),
    readSystem(places.system, environment, warn),
  ]);
  throwFailures(readings.flatMap((reading) => (reading.status === 'rejected' ? [reading.reason as unknown] : [])));
  const [systemDefaults, user, workspace, system] = readings.map((reading) =>
    reading.status === 'fulfilled' ? reading.value : undefined,
  );
  const isHome = user !== undefined && workspace !== undefined && isSameDirectory(environment.cwd, environment.home);
  const found: [Layer, string, JSONObject | undefined][] = [
    ['system-defaults', places.systemDefaults, systemDefaults],
    ['user', places.user, user],
    ['workspace', places.workspace, isHome ? undefined : workspace],
    ['system', places.system, system],
  ];
  return found.flatMap(([layer, source, values]) => (values ? [{layer, source, values}] : []));
}

async function readSystem(
  path: string,
  environment: Environment,
  warn: (sentence: string) => void,
): Promise<JSONObject | undefined> {
  if (!mayExist(path)) return undefined;
  const {readSystemSettings} = await import('./system-settings.js');
  const {values, fault} = await readSystemSettings(path, environment);
  if (fault) warn(`Ignoring system settings in ${path}: ${fault}.`);
  return values;
}

/** Whether reading a file is worth it. */
export function mayExist(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
  } catch {
    // What hinders this look hinders the reading too, which says why.
    return true;
  }
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1 || !failures.every(isKernelError)) throw failures[0];
  const [{code = 'SETTINGS_BROKEN', hint} = {}] = failures;
  throw new KernelError(code, failures.map(({message}) => message).join('\n'), {
    hint,
    cause: new AggregateError(failures),
    data: failures.map(({data}) => data),
  });
}
