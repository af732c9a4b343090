import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {Entry, HistoryFit, Message, Piece, PieceSizes} from '@gemini-kernel/plugin-agent/contract';
import {HistoryFitting} from '#plugins/agent/dist/fit-history.js';
import {repairHistory} from '#plugins/agent/dist/repair-history.js';
import {toMessages} from '#plugins/agent/dist/entry-text.js';
import {buildGraph} from '#plugins/context/dist/graph/build-graph.js';
import {LiveGraph} from '#plugins/context/dist/live-graph.js';
import {planMasks} from '#plugins/context/dist/plan/plan-masks.js';
import type {Profile} from '#plugins/context/dist/profile.js';
import {OutputFiles} from '#plugins/context/dist/store/output-files.js';
import {steps, toEntries, type Step} from './histories.js';

const PROFILE: Profile = {
  ...{name: 'default', protect: 6000, gain: 3000, protectLatest: true, every: 5, distill: 6000, input: Infinity},
};
const LIMITS = {inputLimit: 0, compressAt: 0};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-context-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

function fittingOf(
  entries: readonly Entry[],
  answer: (payload: never) => Promise<HistoryFit | undefined>,
): HistoryFitting {
  const parts = {context: {dispatch: (_: string, payload: never) => answer(payload)}, history: {entries, revision: 1}};
  return new HistoryFitting(parts as unknown as ConstructorParameters<typeof HistoryFitting>[0]);
}

function openGraph(profile = PROFILE): LiveGraph {
  const files = new OutputFiles(folder);
  return new LiveGraph({
    profile: () => Promise.resolve(profile),
    files: () => Promise.resolve(files),
    place: () => Promise.resolve(files),
    snapshot: {follow: () => undefined, take: () => undefined} as never,
    tell: (sentence) => expect(sentence).toBe(''),
  });
}

async function fit(entries: readonly Entry[]): Promise<readonly Message[]> {
  const graph = openGraph();
  return toMessages((await fittingOf(entries, (payload) => graph.fit(payload)).fit(LIMITS)).entries);
}

const pair = (piece: Piece): unknown[] =>
  piece.kind === 'call' || piece.kind === 'result' ? [piece.kind, piece.id, piece.name] : [];
const shape = (messages: readonly Message[]): unknown =>
  messages.map(({role, pieces}) => [role, pieces.map((piece) => [piece.kind, ...pair(piece)])]);
const said = (messages: readonly Message[]): readonly Piece[] =>
  messages.flatMap(({pieces}) => pieces.filter(({kind}) => kind === 'text' || kind === 'thought'));

/** The entries as the agent has them: a call that never ran has an answer. */
const entriesOf = (given: readonly Step[]): readonly Entry[] => repairHistory(toEntries(given));

describe('over generated histories', () => {
  test('calls keep their results, texts stay byte for byte, and what is left out is in a file [context.pairs]', async () => {
    let masked = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const entries = entriesOf(given);
        const [whole, sent] = [toMessages(entries), await fit(entries)];
        expect(shape(sent)).toEqual(shape(whole));
        expect(said(sent)).toEqual(said(whole));
        for (const [at, {pieces}] of sent.entries())
          for (const [index, piece] of pieces.entries()) {
            const original = whole[at]?.pieces[index];
            if (piece.kind !== 'result' || original?.kind !== 'result' || piece === original) continue;
            masked += 1;
            await expectReadable(piece, original);
          }
      }),
      {numRuns: 60, seed: 24},
    );
    expect(masked).toBeGreaterThan(50);
  });

  test('a later step never changes an earlier request, and steps are apart [context.steps]', () => {
    const size = (entries: readonly Entry[]): PieceSizes =>
      fittingOf(entries, () => Promise.resolve(undefined)).measure(entries);
    fc.assert(
      fc.property(steps, fc.nat({max: 60}), (given, cut) => {
        const entries = entriesOf(given);
        const older = entriesOf(given.slice(0, cut));
        const plan = planMasks(buildGraph(entries, size(entries)), PROFILE, LIMITS);
        const graph = buildGraph(older, size(older));
        const before = planMasks(graph, PROFILE, LIMITS);
        const seen = [...plan.states].filter(([, {since = 0}]) => since < graph.requests);
        expect(seen).toEqual([...before.states].filter(([, {since = 0}]) => since < graph.requests));
        const gaps = plan.steps.slice(1).map((step, at) => step - (plan.steps[at] ?? 0));
        expect(gaps.every((gap) => gap >= PROFILE.every)).toBe(true);
      }),
      {numRuns: 150, seed: 24},
    );
  });

  test('whatever a listener answers, only outputs and inputs change [context.hostile]', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.record({at: fc.nat({max: 80}), piece: fc.nat({max: 3})}), {maxLength: 60}),
        async (given, places) => {
          const entries = entriesOf(given);
          const shorter = places.map(({at, piece}) => ({
            ...{entry: `e${at}`, piece, output: [{text: 'gone'}], input: {gone: true}},
          }));
          const fitted = await fittingOf(entries, () => Promise.resolve({shorter})).fit(LIMITS);
          expect(shape(toMessages(fitted.entries))).toEqual(shape(toMessages(entries)));
          expect(said(toMessages(fitted.entries))).toEqual(said(toMessages(entries)));
        },
      ),
      {numRuns: 60, seed: 24},
    );
  });
});

type Result = Extract<Piece, {kind: 'result'}>;

async function expectReadable({output}: Result, original: Result): Promise<void> {
  const text = output.map((part) => ('text' in part ? part.text : '')).join('');
  const [file = ''] = /\/\S+\.(txt|png)/.exec(text) ?? [];
  const [part] = original.output;
  const bytes = await readFile(file);
  if (part && 'text' in part) expect(bytes.toString()).toBe(part.text);
  else expect(bytes.toString('base64')).toBe(part?.inlineData.data);
}

test('ids of nodes follow the entries, and what stands for a node names it [context.graph]', async () => {
  const entries = toEntries([
    {kind: 'prompt', text: 'Look.'},
    {kind: 'calls', calls: [{tool: 'grep_search', input: 'a', output: 30_000, isPicture: false}], isAnswered: true},
    {kind: 'answer', text: 'Found.'},
  ]);
  const sizes = fittingOf(entries, () => Promise.resolve(undefined)).measure(entries);
  const {nodes, ...report} = await openGraph().describe({entries, sizes, ...LIMITS});
  expect(report).toMatchObject({profile: 'default', requests: 2});
  expect(nodes.map(({id, kind, form, stand}) => ({id, kind, form, ...(stand ? {stand} : {})}))).toEqual([
    {id: 'e1.0', kind: 'prompt', form: 'whole'},
    {id: 'e2.0', kind: 'tool', form: 'distilled', stand: 'e2.0~distilled'},
    {id: 'e4.0', kind: 'answer', form: 'whole'},
  ]);
});
