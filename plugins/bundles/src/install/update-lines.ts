import {describeCapability} from './judge/describe-plugin.js';
import type {UpdatedPlugin} from './update-plugins.js';

/** The result of an update, or a preview of it: a line per plugin, with new capabilities below it. */
export function updateLines(plugins: readonly UpdatedPlugin[]): readonly string[] {
  if (plugins.length === 0) return ['No plugins are installed.'];
  const width = Math.max(...plugins.map(({name}) => name.length));
  return plugins.flatMap((plugin) => [
    `${plugin.name.padEnd(width)}  ${stateOf(plugin)}`,
    ...differences(plugin).map((line) => `${' '.repeat(width)}    ${line}`),
  ]);
}

function stateOf({from, to, state, fault}: UpdatedPlugin): string {
  const way = to === from ? `${from}, with other content` : `${from} -> ${to ?? from}`;
  if (state === 'current') return `${from}, the newest in its range`;
  if (state === 'fixed') return `${from}, from a link or a bundle`;
  if (state === 'failed') return `${from}, not updated: ${fault?.message ?? ''}${fault?.hint ? ` ${fault.hint}` : ''}`;
  return state === 'updated' ? way : `${way}, available`;
}

function differences({change}: UpdatedPlugin): readonly string[] {
  if (!change) return [];
  const {added, removed, changed} = change.dependencies;
  return [
    ...change.newCapabilities.map((one) => `+ may ${describeCapability(one)}`),
    ...change.droppedCapabilities.map((one) => `- may no longer ${describeCapability(one)}`),
    ...change.newReplaced.map((one) => `+ replaces the built-in tool ${one}`),
    ...(change.isSignerNew ? ['! has another signer'] : []),
    ...(change.isProofLost ? ['! its place of build is no longer proven'] : []),
    ...(added + removed + changed > 0
      ? [`dependencies: ${added} more, ${removed} fewer, ${changed} other versions`]
      : []),
  ];
}
