import type {PluginProcesses} from '@gemini-kernel/plugin-doctor/contract';
import type {IsolatedPlugin, PluginRecord} from '../contract.js';

/** What is kept of plugins, with the process that each has in this run. */
export function joinProcesses(
  records: readonly PluginRecord[],
  states: readonly IsolatedPlugin[],
): readonly PluginProcesses[] {
  return records.map(({plugin, starts, deaths, lastDeath, calls, busyMs, peakBytes, uses}) => {
    // A plugin has several where its workspaces differ; a running one says most.
    const own = states.filter((one) => one.plugin === plugin);
    const live = own.find((one) => one.state === 'running') ?? own.find((one) => one.state === 'left out') ?? own[0];
    const refused = uses.filter(({outcome}) => outcome === 'refused').sort((a, b) => b.last - a.last);
    return {
      ...{plugin, starts, deaths, calls, busyMs, state: live?.state ?? 'none'},
      ...(live?.pid === undefined ? {} : {pid: live.pid}),
      ...(live?.memory === undefined ? {} : {memory: live.memory}),
      ...(lastDeath === undefined ? {} : {lastDeath}),
      ...(peakBytes === undefined ? {} : {peakBytes}),
      refused: refused.map(({what}) => what),
    };
  });
}
