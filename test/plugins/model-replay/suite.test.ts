import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {afterAll, afterEach, describe, test} from '@jest/globals';
import {createModelSuite, type ModelSuiteOptions, type ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {type SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import type {Model, ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

const NONE = {input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0};

/**
 * What a recording holds of a scripted answer: what a provider made of it, each call once and under an id of its own.
 */
function record({pieces = [], usage, end = 'stop', model}: ScriptedAnswer): readonly ModelEvent[] {
  const once = pieces.filter(
    (piece, index) =>
      piece.kind !== 'call' ||
      piece.id === undefined ||
      pieces.findIndex((other) => isDeepStrictEqual(other, piece)) === index,
  );
  const ids = new Set<string>();
  const nameCall = (wanted: string, index: number): string => {
    const id = ids.has(wanted) ? `${wanted}-${index}` : wanted;
    ids.add(id);
    return id;
  };
  const said = once.flatMap((piece, index): readonly ModelEvent[] => {
    if (piece.kind === 'garbage') return [];
    if (piece.kind !== 'call') return [piece];
    const {raw: malformed, id = `c${index}`, name, input, signature} = piece;
    return [
      {
        kind: 'call',
        id: nameCall(id, index),
        name,
        input: malformed === undefined ? (input ?? {}) : undefined,
        ...(signature ? {signature} : {}),
        ...(malformed === undefined ? {} : {malformed}),
      },
    ];
  });
  const last: ModelEvent =
    end === 'blocked' || end === 'prompt-blocked'
      ? {kind: 'failed', failure: {kind: 'blocked', message: 'It was blocked.', isFinal: true}}
      : end === 'none'
        ? {kind: 'failed', failure: {kind: 'network', message: 'The answer broke off.'}}
        : {kind: 'end', reason: end, ...(model ? {model} : {})};
  return [...said, ...(usage ? [{kind: 'usage' as const, usage: {...NONE, ...usage}}] : []), last];
}

describe('model:replay keeps what every provider promises [model.suite]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-replay-suite-'));
  const file = join(folder, 'r.jsonl');
  const kernels: TestKernel[] = [];
  const seen: SeenRequest[] = [];
  afterEach(async () => {
    for (const kernel of kernels.splice(0)) await kernel.close();
  });
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  /** Nothing is sent: what it was asked is what there is to see. */
  function watched(model: Model): Model {
    return {
      ...model,
      async *stream(request: ModelRequest, signal) {
        signal.throwIfAborted();
        seen.push({
          ...request,
          url: '',
          headers: {},
          body: request,
          end: Promise.resolve('answered'),
        } as unknown as SeenRequest);
        yield* model.stream(request, signal);
      },
    };
  }

  const options: ModelSuiteOptions = {
    model: file,
    without: ['connection', 'refusals'],
    script: (answers) =>
      writeFileSync(
        file,
        answers
          .map((answer) => `${JSON.stringify({method: 'stream', model: 'x', response: record(answer)})}\n`)
          .join(''),
      ),
    requests: () => seen,
    release: () => undefined,
    async open() {
      const kernel = await createTestKernel({
        plugins: ['settings', 'trust', 'env', 'network', 'workspace', 'agent', 'model-replay'].map(pluginRoot),
        variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
      });
      kernels.push(kernel);
      return watched(await kernel.service('model:replay'));
    },
  };
  test.each(createModelSuite(options))('$title', ({run}) => run());
});
