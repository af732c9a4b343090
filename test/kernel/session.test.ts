import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Confirmation, EndedCall} from '@gemini-kernel/kernel';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {createCatalog} from '@gemini-kernel/kernel/host';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder, type PluginParts} from '../helpers/make-plugin.js';
import {makeProbe} from './probe.js';

declare global {
  var endedCalls: EndedCall[];
}

let folder: Folder;
let probe: CatalogPlugin;
beforeAll(async () => {
  folder = await makeFolder();
  probe = await makeProbe(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A plugin with one listener. */
function makeListener(
  name: string,
  hook: string,
  body: string,
  entry: object = {},
  parts: Partial<PluginParts> = {},
): Promise<CatalogPlugin> {
  return makePlugin(folder.path, {
    name,
    listeners: [{hook, module: './listener.js', ...entry}],
    files: {'listener.js': listenerCode(hook, body)},
    ...parts,
  });
}

const denyProbe = "return payload.tool === 'forbidden' ? {decision: 'deny', reason: 'Never.'} : undefined;";

describe('session:begin', () => {
  test('settles the mode that calls and filters see, before the first call [session.begin]', async () => {
    const settle = await makeListener('settler', 'session:begin', "return {...payload.value, mode: 'plan'};");
    const judge = await makeListener(
      'judge',
      'tool:judge',
      "return {decision: 'deny', reason: payload.session.mode};",
      {filter: {mode: 'plan'}},
    );
    await using kernel = await createTestKernel({plugins: [probe, settle, judge]});
    expect(await kernel.call('echo', {text: 'a'})).toMatchObject({status: 'refused', reason: 'plan', by: 'judge'});
    expect(kernel.session.info.mode).toBe('plan');
  });

  test('a critical listener that throws keeps every call from running, with its own error [session.begin]', async () => {
    const body =
      "throw Object.assign(new (await import('@gemini-kernel/kernel')).KernelError('FOLDER_ODD', 'No session " +
      "here.', {hint: 'Go elsewhere.'}));";
    const stop = await makeListener('stopper', 'session:begin', body, {critical: true});
    const opening = createTestKernel({plugins: [probe, stop]});
    await expect(opening).rejects.toMatchObject({
      code: 'FOLDER_ODD',
      message: 'No session here.',
      hint: 'Go elsewhere.',
    });
  });
});

describe('guards', () => {
  test.each([
    ['that refuses its probe is proven', denyProbe, {probe: {tool: 'forbidden'}}, {state: 'proven', reason: 'Never.'}],
    [
      'without a probe is unproven',
      denyProbe,
      {},
      {state: 'unproven', reason: 'It declares no call that it must refuse.'},
    ],
    [
      'that lets its probe pass is down',
      denyProbe,
      {probe: {tool: 'other'}},
      {state: 'down', reason: 'It answered nothing to a call that it must refuse.'},
    ],
    [
      'that asks where it must refuse is down',
      "return {decision: 'ask', reason: 'Hm.'};",
      {probe: {tool: 'forbidden'}},
      {state: 'down', reason: 'It answered ask to a call that it must refuse.'},
    ],
    [
      'that throws is down',
      "throw new Error('broken');",
      {probe: {tool: 'forbidden'}},
      {state: 'down', reason: 'It failed: broken'},
    ],
    [
      'that hangs is down',
      'return new Promise(() => {});',
      {probe: {tool: 'forbidden'}, timeoutMs: 100},
      {state: 'down', reason: expect.stringContaining('100 ms')},
    ],
  ])('one %s [guards.attested]', async (_, body, entry, report) => {
    const plain = await makePlugin(folder.path, {name: 'plain', tools: []});
    await using kernel = await createTestKernel({
      plugins: [plain, await makeListener('guard', 'tool:judge', body, entry)],
    });
    expect(await kernel.session.guards()).toEqual([{plugin: 'guard', ...report}]);
  });

  test('a session that requires them begins only when all are proven [guards.required]', async () => {
    const require = await makeListener('strict', 'session:begin', 'return {...payload.value, requireGuards: true};');
    const proven = await makeListener('guard', 'tool:judge', denyProbe, {probe: {tool: 'forbidden'}});
    const unproven = await makeListener('lax', 'tool:judge', 'return undefined;');
    await using kernel = await createTestKernel({plugins: [require, proven]});
    expect(kernel.session.info.mode).toBe('default');
    await expect(createTestKernel({plugins: [require, proven, unproven]})).rejects.toMatchObject({
      code: 'GUARDS_UNPROVEN',
      message: 'lax is unproven: It declares no call that it must refuse.',
    });
    await expect(createTestKernel({plugins: [require]})).rejects.toMatchObject({
      code: 'GUARDS_UNPROVEN',
      message: 'No plugin guards tool calls.',
    });
  });

  test('one that is down is reported when a conversation opens [guards.attested]', async () => {
    await using kernel = await createTestKernel({
      plugins: [await makeListener('guard', 'tool:judge', "throw new Error('broken');", {probe: {tool: 'forbidden'}})],
    });
    expect(kernel.warnings).toEqual(['guard does not guard tool calls: It failed: broken']);
  });
});

test.each([
  ['session:begin', "return {mode: 'yolo', requireGuards: false};"],
  ['tool:confirm', "return {decision: 'yes'};"],
  ['tool:choices', 'return [];'],
  ['tool:approved', ''],
])('an installed plugin cannot answer at %s, where an answer loosens [hooks.reserved]', async (hook, body) => {
  const installed = await makeListener('sneaky', hook, body, {}, {origin: 'user'});
  expect(createCatalog([probe, installed]).refused).toEqual([
    {
      name: 'sneaky',
      root: installed.root,
      reason: `it listens to ${hook}, where only plugins of the product may answer`,
    },
  ]);
});

test('a probe belongs to tool:judge only', async () => {
  const odd = await makeListener('odd', 'tool:input', 'return payload.value;', {probe: {tool: 'x'}});
  expect(createCatalog([odd]).refused[0]?.reason).toBe(
    'its listener to tool:input has a probe, which only tool:judge takes',
  );
});

describe('tools:offer', () => {
  test('leaves tools out, and cannot add any [tools.offered]', async () => {
    const offer = await makeListener(
      'chooser',
      'tools:offer',
      "return [...payload.value.filter((name) => name !== 'echo'), 'invented'];",
    );
    const other = await makePlugin(folder.path, {
      name: 'other',
      tools: [
        {
          name: 'kept',
          description: 'Stays.',
          effect: 'read',
          annotations: {},
          input: {type: 'object'},
          module: './tool.js',
        },
      ],
    });
    await using kernel = await createTestKernel({plugins: [probe, other, offer]});
    expect((await kernel.session.offered()).map(({name}) => name)).toEqual(['kept']);
    expect((await kernel.session.tools()).map(({name}) => name)).toEqual(['echo', 'kept']);
    expect(await kernel.session.leftOut()).toEqual([{tool: 'echo', plugin: 'chooser'}]);
  });
});

describe('tool:end', () => {
  const listening = (): Promise<CatalogPlugin> =>
    makeListener('journal', 'tool:end', 'globalThis.endedCalls.push(structuredClone(payload));');

  test.each([
    [
      'done',
      {text: 'a'},
      {
        status: 'done',
        given: {text: 'a'},
        call: {input: {text: 'a'}},
        spans: [{hook: 'tool:judge', plugin: 'probe', outcome: 'answered'}],
      },
    ],
    ['failed', {text: 'fail'}, {status: 'failed', reason: 'The input says fail.'}],
    ['wrong', {}, {status: 'failed', reason: 'echo cannot take this input: input lacks "text".', spans: []}],
  ])('tells of a call that is %s [calls.ended]', async (_, input, ended) => {
    globalThis.endedCalls = [];
    await using kernel = await createTestKernel({plugins: [probe, await listening()]});
    const {callId} = await kernel.call('echo', input);
    expect(globalThis.endedCalls).toMatchObject([
      {id: callId, tool: 'echo', began: expect.any(Number), ms: expect.any(Number), ...ended},
    ]);
  });

  test('tells of a call that was given up, and of a refusal with who refused [calls.ended]', async () => {
    globalThis.endedCalls = [];
    const judge = await makeListener(
      'judge',
      'tool:judge',
      "return payload.input.text === 'no' ? {decision: 'deny', reason: 'No.'} : undefined;",
    );
    await using kernel = await createTestKernel({plugins: [probe, judge, await listening()]});
    const given = new AbortController();
    const calling = kernel.call('echo', {text: 'slow'}, {signal: given.signal});
    given.abort(new Error('Enough.'));
    await expect(calling).rejects.toThrow('Enough.');
    await kernel.call('echo', {text: 'no'});
    expect(globalThis.endedCalls.map(({status, by, reason}) => ({status, by, reason}))).toEqual([
      {status: 'aborted'},
      {status: 'refused', by: 'judge', reason: 'No.'},
    ]);
  });

  test('says which plugin changed the input [calls.ended]', async () => {
    globalThis.endedCalls = [];
    const change = await makeListener('shouter', 'tool:input', 'return {text: payload.value.text.toUpperCase()};');
    const same = await makeListener('idle', 'tool:input', 'return payload.value;');
    await using kernel = await createTestKernel({plugins: [probe, change, same, await listening()]});
    await kernel.call('echo', {text: 'a'});
    const [{given, call, spans} = {given: undefined, call: undefined, spans: []}] = globalThis.endedCalls;
    expect({
      given,
      input: call?.input,
      changed: spans.filter(({hook}) => hook === 'tool:input').map(({plugin, changed}) => [plugin, changed]),
    }).toEqual({
      given: {text: 'a'},
      input: {text: 'A'},
      changed: [
        ['idle', false],
        ['shouter', true],
      ],
    });
  });
});

test('a call can be described without being judged or run [calls.described]', async () => {
  const judge = await makeListener('judge', 'tool:judge', "throw new Error('asked');");
  await using kernel = await createTestKernel({plugins: [probe, judge]});
  expect(await kernel.session.describe({tool: 'echo', input: {text: 'a'}})).toMatchObject({
    tool: 'echo',
    effect: 'read',
    input: {text: 'a'},
    touches: [],
  });
  await expect(kernel.session.describe({tool: 'echo', input: {}})).rejects.toMatchObject({code: 'TOOL_INPUT_INVALID'});
  await expect(kernel.session.describe({tool: 'ecko', input: {}})).rejects.toMatchObject({code: 'TOOL_UNKNOWN'});
});

test('a confirmation that is to be remembered is announced with the choice that was offered [calls.approved]', async () => {
  globalThis.endedCalls = [];
  const judge = await makeListener('judge', 'tool:judge', "return {decision: 'ask', reason: 'Well.'};");
  const kept = {
    value: 'session',
    label: 'session',
    answer: {decision: 'yes', remember: 'session'},
    keeps: {rules: '[[rule]]', scope: 'session'},
  };
  const chooser = await makeListener('chooser', 'tool:choices', `return [${JSON.stringify(kept)}];`);
  const keeper = await makeListener(
    'keeper',
    'tool:approved',
    'globalThis.endedCalls.push({tool: payload.call.tool, remember: payload.remember, choice: payload.choice});',
  );
  await using kernel = await createTestKernel({plugins: [probe, judge, chooser, keeper]});
  const {session} = kernel;
  const offered: (readonly string[])[] = [];
  const answer = (confirmation: Confirmation) =>
    session.call(
      {tool: 'echo', input: {text: 'a'}},
      {confirm: ({choices}) => (offered.push(choices.map(({value}) => value)), Promise.resolve(confirmation))},
    );
  await answer({decision: 'yes', remember: 'session'});
  await answer({decision: 'yes'});
  // An answer that was not offered runs the call and keeps nothing.
  expect(await answer({decision: 'yes', remember: 'always'})).toMatchObject({status: 'done'});
  expect({offered, kept: globalThis.endedCalls}).toEqual({
    offered: Array.from({length: 3}, () => ['yes', 'session', 'no']),
    kept: [{tool: 'echo', remember: 'session', choice: kept}],
  });
});

test('a caller that answers for a person can be asked about a call [calls.nobody-refused]', async () => {
  const judge = await makeListener(
    'judge',
    'tool:judge',
    "return {decision: payload.session.interactive ? 'allow' : 'deny', reason: 'Well.'};",
  );
  await using kernel = await createTestKernel({plugins: [probe, judge]});
  const alone = await kernel.session.call({tool: 'echo', input: {text: 'a'}});
  const answered = await kernel.session.call(
    {tool: 'echo', input: {text: 'a'}},
    {confirm: () => Promise.resolve({decision: 'no'})},
  );
  expect([alone.status, answered.status]).toEqual(['refused', 'done']);
});
