import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {Place} from '@gemini-kernel/plugin-code/contract';
import type {Truth} from './ground-truth.js';

/** How `code_find` stands against a language server: uses that both know, and that only one of them does. */
export interface Accuracy {
  both: number;
  onlyOurs: number;
  onlyServer: number;
}

/** Compares the uses of one symbol. False where the server has no answer. */
export async function compareUses(
  kernel: TestKernel,
  truth: Truth,
  {sum, differs}: {readonly sum: Accuracy; readonly differs: (line: string) => void},
): Promise<boolean> {
  const path = join(kernel.project, truth.path);
  const code = await kernel.service('code');
  const {text, symbols} = await code.outline(path);
  // A class and a namespace can share a name; `code_find` is asked for both, and a server for one at a time.
  const meant = symbols.filter(({name, owner}) => name === truth.name && (owner ?? '') === (truth.owner ?? ''));
  const servers = await kernel.service('code-servers');
  const places: Place[] = [];
  for (const {nameAt} of meant) {
    const ask = (): Promise<Place[]> =>
      servers.references(path, text, nameAt, AbortSignal.timeout(60_000)).then((answer) => [...answer.places]);
    const known = await askUntilSame(ask).catch((error: unknown) => void differs(`${truth.name}: ${String(error)}`));
    places.push(...(known ?? []));
  }
  // A server that knows no use at all, not even in the file itself, has not read the project.
  if (places.length === 0) return false;
  const name = truth.owner === undefined ? truth.name : `${truth.owner}.${truth.name}`;
  const end = await kernel.call('code_find', {name, what: 'references', max_results: 1000, defined_in: path});
  if (end.status !== 'done') throw new Error(`code_find does not answer for ${name}.`);
  const {items} = end.result.data as {readonly items: readonly {readonly path: string; readonly line: number}[]};
  const keyOf = (one: {readonly path: string; readonly line: number}): string => `${one.path}:${one.line}`;
  // The definition itself is no use; servers differ in whether they list it.
  const own = meant.map(({nameAt}) => `${path}:${lineOf(text, nameAt)}`);
  const [ours, theirs] = [items, places].map((all) => new Set(all.map(keyOf).filter((key) => !own.includes(key))));
  const [more, less] = [
    [...(ours ?? [])].filter((key) => !theirs?.has(key)),
    [...(theirs ?? [])].filter((key) => !ours?.has(key)),
  ];
  sum.both += (ours?.size ?? 0) - more.length;
  sum.onlyOurs += more.length;
  sum.onlyServer += less.length;
  for (const key of more) differs(`${name}: only code_find has ${key}`);
  for (const key of less) differs(`${name}: only the server has ${key}`);
  return true;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** What a server says twice: it answers also while it is still reading the project. */
async function askUntilSame(ask: () => Promise<Place[]>): Promise<Place[]> {
  let last = await ask();
  for (let round = 0; round < 5; round += 1) {
    await setTimeout(200);
    const next = await ask();
    if (next.length === last.length) return next;
    last = next;
  }
  return last;
}
