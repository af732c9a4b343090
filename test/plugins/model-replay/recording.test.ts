import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {readRecording} from '#plugins/model-replay/dist/recording.js';

async function read(text: string): Promise<readonly (readonly ModelEvent[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-replay-'));
  try {
    await writeFile(join(folder, 'r.jsonl'), text);
    return await readRecording(join(folder, 'r.jsonl'));
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

test('canned responses of the Gemini API are read, streamed and whole ones, counts passed over [replay.canned]', async () => {
  const chunk = (parts: object[], rest: object = {}): object => ({candidates: [{content: {parts}, ...rest}]});
  const lines = [
    {method: 'countTokens', response: {totalTokens: 3}},
    {
      method: 'generateContentStream',
      response: [
        chunk([{text: 'Hel'}]),
        {
          ...chunk([{text: 'lo', thoughtSignature: 's'}, {functionCall: {name: 't', args: {a: 1}}}], {
            finishReason: 'STOP',
          }),
          usageMetadata: {promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7},
        },
      ],
    },
    {
      method: 'generateContent',
      response: chunk([{text: 'why', thought: true}, {text: 'x'}], {finishReason: 'MAX_TOKENS'}),
    },
    {method: 'generateContentStream', response: [chunk([{text: 'cut'}])]},
  ];
  expect(await read(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`)).toEqual([
    [
      {kind: 'text', text: 'Hel'},
      {kind: 'text', text: 'lo', signature: 's'},
      {kind: 'call', id: 'replayed-1', name: 't', input: {a: 1}},
      {kind: 'usage', usage: {input: 5, output: 2, cached: 0, thoughts: 0, tool: 0, total: 7}},
      {kind: 'end', reason: 'stop'},
    ],
    [
      {kind: 'thought', text: 'why'},
      {kind: 'text', text: 'x'},
      {kind: 'end', reason: 'length'},
    ],
    [
      {kind: 'text', text: 'cut'},
      {kind: 'failed', failure: {kind: 'network', message: 'The recorded answer has no end.'}},
    ],
  ]);
});

test.each([
  ['no JSON', '{"method": "stream", "response": []}\n{{', /line 2 is not a recorded answer/],
  ['another method', '{"method": "sing"}', /its method is "sing"/],
  ['no object', '17', /its method is undefined/],
])('a line that is %s is named [replay.errors]', async (_, text, pattern) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'RECORDING_UNREADABLE',
    message: expect.stringMatching(pattern),
  });
});

test('a recording that is not there is named, and one that cannot be written ends the prompt [replay.errors]', async () => {
  await expect(readRecording('/nowhere/r.jsonl')).rejects.toMatchObject({
    code: 'RECORDING_UNREADABLE',
    message: expect.stringContaining('/nowhere/r.jsonl'),
  });
  const plugins = ['settings', 'trust', 'env', 'network', 'workspace', 'agent', 'model-replay'].map(pluginRoot);
  await using kernel = await createTestKernel({
    plugins,
    live: true,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    homeFiles: {
      '.gemini/settings.json': JSON.stringify({
        model: {name: 'replay:rehearsal', recordResponses: '/nowhere/out.jsonl'},
      }),
    },
  });
  const agent = await kernel.service('agent');
  expect(
    await agent.send({text: 'go'}, {signal: new AbortController().signal, onEvent: () => undefined}),
  ).toMatchObject({status: 'failed', error: {code: 'RECORDING_UNWRITABLE'}});
});

test('a recording that is over says so [replay.errors]', async () => {
  const plugins = ['settings', 'trust', 'env', 'network', 'workspace', 'agent', 'model-replay'].map(pluginRoot);
  await using kernel = await createTestKernel({
    plugins,
    live: true,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    files: {
      'r.jsonl': '{"method":"stream","response":[{"kind":"text","text":"Once."},{"kind":"end","reason":"stop"}]}\n',
    },
    flags: {'model.name': 'replay:r.jsonl'},
  });
  const agent = await kernel.service('agent');
  const watch = {signal: new AbortController().signal, onEvent: () => undefined};
  expect([await agent.send({text: 'go'}, watch), await agent.send({text: 'go'}, watch)]).toMatchObject([
    {status: 'done', text: 'Once.'},
    {status: 'failed', error: {message: expect.stringContaining('has 1 answers')}},
  ]);
});
