import type {Session} from '@gemini-kernel/kernel/host';
import type {PluginProcesses} from './contract.js';

const MOST_REFUSED = 5;
const LONGEST = 200;

/** What each source says of plugins in processes of their own, by plugin. */
export async function findProcesses(
  services: Iterable<string>,
  session: Session,
): Promise<ReadonlyMap<string, PluginProcesses>> {
  const names = [...services].filter((name): name is `processes:${string}` => name.startsWith('processes:'));
  const all = await Promise.all(names.map(async (name) => (await session.service(name)).list()));
  return new Map(all.flat().map((one) => [one.plugin, one]));
}

/** The same for people, a line each. */
export function sayProcesses(found: PluginProcesses): readonly string[] {
  const {state, pid, memory, starts, deaths, lastDeath, calls, busyMs, peakBytes, refused} = found;
  const now = [
    state === 'none' ? undefined : `${state}${pid === undefined ? '' : ` (${pid})`}`,
    memory === undefined ? undefined : `${megabytes(memory)} now`,
    `started ${starts} ${starts === 1 ? 'time' : 'times'}`,
    `${calls} requests in ${(busyMs / 1000).toFixed(1)} s`,
    peakBytes === undefined ? undefined : `at most ${megabytes(peakBytes)}`,
  ];
  const more = refused.length - MOST_REFUSED;
  return [
    `own process: ${now.filter((part) => part !== undefined).join(', ')}`,
    ...(deaths > 0 ? [`${deaths} ended on their own, the last one because ${oneLine(lastDeath ?? 'it ended')}`] : []),
    ...(refused.length > 0
      ? [`refused: ${refused.slice(0, MOST_REFUSED).map(oneLine).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
      : []),
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

/** A plugin has a say in what it was refused: it must not look like output of this program. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST);
}
