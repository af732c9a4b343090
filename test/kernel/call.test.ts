import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';
import {makeProbe} from './probe.js';

let folder: Folder;
let probe: CatalogPlugin;
beforeAll(async () => {
  folder = await makeFolder();
  probe = await makeProbe(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A plugin with one listener per entry. */
function makeListeners(
  name: string,
  listeners: Readonly<Record<string, {readonly body: string; readonly entry?: object}>>,
): Promise<CatalogPlugin> {
  const all = Object.entries(listeners);
  return makePlugin(folder.path, {
    name,
    listeners: all.map(([hook, {entry}]) => ({hook, module: `./${hook.replace(':', '-')}.js`, ...entry})),
    files: Object.fromEntries(all.map(([hook, {body}]) => [`${hook.replace(':', '-')}.js`, listenerCode(hook, body)])),
  });
}

/** A plugin with an editing tool that records what it was run with, and a preview. */
function makeEditor(
  revise = '(input, {text}) => ({...input, text})',
  preview = "{kind: 'diff', path, before: '', after: text, diff: '+' + text}",
): Promise<CatalogPlugin> {
  const input = {
    type: 'object',
    required: ['path', 'text'],
    properties: {path: {type: 'string'}, text: {type: 'string'}},
  };
  return makePlugin(folder.path, {
    name: 'editor',
    tools: [{name: 'edit', description: 'Edits.', effect: 'edit', annotations: {}, input, module: './tool.js'}],
    files: {
      'tool.js': `import {defineTool} from '@gemini-kernel/kernel';
const running = [];
export default defineTool({
  name: 'edit', description: 'Edits.', effect: 'edit', input: {},
  touches: async ({path}) => [{kind: 'path', value: path, access: 'write'}],
  preview: async ({path, text}) => (${preview}),
  revise: ${revise},
  async run({path, text}, {progress}) {
    if (running.length > 0) throw new Error('Two edits at once.');
    running.push(path);
    progress({text: 'half-way'});
    await new Promise(setImmediate);
    running.pop();
    return {model: path + '=' + text};
  },
});
`,
    },
  });
}

const ask = {'tool:judge': {body: "return {decision: 'ask', reason: 'An edit is asked.'};"}};
const confirmed = (body: string) => ({...ask, 'tool:confirm': {body}});

async function callEdit(
  plugins: readonly CatalogPlugin[],
  options: Partial<TestKernelOptions> = {},
  input: unknown = {path: '/p/a', text: 'x'},
) {
  await using kernel = await createTestKernel({plugins: [await makeEditor(), ...plugins], ...options});
  expect(kernel.kernel.catalog.refused).toEqual([]);
  return await kernel.call('edit', input);
}

describe('a call', () => {
  test('of an unknown tool names the nearest', async () => {
    await using kernel = await createTestKernel({plugins: [probe]});
    expect(await kernel.call('ecko', {})).toMatchObject({
      status: 'failed',
      error: {code: 'TOOL_UNKNOWN', message: 'There is no tool ecko.', hint: 'Did you mean echo?'},
    });
  });

  test('with an input that does not fit says what, where and which value [calls.input-checked]', async () => {
    expect(await callEdit([], {}, {path: 5})).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_INPUT_INVALID',
        message: 'edit cannot take this input: input lacks "text". input.path must be string, not 5.',
      },
    });
  });

  test('of a tool that crashes is a failure that names the tool and keeps the cause', async () => {
    await using kernel = await createTestKernel({plugins: [probe]});
    expect(await kernel.call('echo', {text: 'crash'})).toMatchObject({
      status: 'failed',
      error: {code: 'TOOL_CRASHED', message: 'echo crashed: crashed', cause: expect.any(TypeError)},
    });
  });

  test(
    'fails by an unhandled error while it runs; after it the error is a warning, and before any call it ' +
      'belongs to no call [calls.unhandled]',
    async () => {
      await using kernel = await createTestKernel({plugins: [await makeEditor()], confirm: 'yes'});
      const late = new Error('The program is not there.');
      expect(kernel.kernel.fail(late)).toBe(false);
      const progress = (): void => void kernel.kernel.fail(late);
      const outcome = await kernel.session.call(
        {tool: 'edit', input: {path: '/p/a', text: 'x'}},
        {onProgress: progress, confirm: async () => ({decision: 'yes'})},
      );
      expect(outcome).toMatchObject({
        status: 'failed',
        error: {code: 'TOOL_CRASHED', message: 'edit crashed: The program is not there.', cause: late},
      });
      expect([kernel.kernel.fail(late), kernel.warnings]).toEqual([
        true,
        ['Something failed after the call of edit had ended: The program is not there.'],
      ]);
      expect(await kernel.call('edit', {path: '/p/a', text: 'y'})).toMatchObject({status: 'done'});
    },
  );

  test('keeps its plain text for scripts, unless a listener changed what goes to the model [tools.scripts]', async () => {
    const plain = await makePlugin(folder.path, {
      name: 'plain',
      tools: [
        {
          name: 'plain',
          description: 'Reads.',
          effect: 'read',
          annotations: {},
          input: {type: 'object', properties: {}},
          module: './tool.js',
        },
      ],
      files: {
        'tool.js':
          "import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({name: 'plain', " +
          "description: 'Reads.', effect: 'read', input: {}, run: async () => ({model: 'note: secret', plain: " +
          "'secret'})});\n",
      },
    });
    const allow = await makeListeners('allower', {
      'tool:judge': {body: "return {decision: 'allow', reason: 'Test.'};"},
    });
    const redact = await makeListeners('redactor', {
      'tool:result': {body: "return {...payload.value, model: 'note: ***'};"},
    });
    await using kernel = await createTestKernel({plugins: [plain, allow], confirm: 'yes'});
    await using redacting = await createTestKernel({plugins: [plain, allow, redact], confirm: 'yes'});
    const results = [await kernel.call('plain', {}), await redacting.call('plain', {})].map(
      (outcome) => 'result' in outcome && outcome.result,
    );
    expect(results).toEqual([{model: 'note: secret', plain: 'secret'}, {model: 'note: ***'}]);
  });

  test.each([
    ['a tool', {}, 'nonsense', {code: 'TOOL_CRASHED', message: 'echo crashed: the result must be object, not 5.'}],
    [
      'a wrapper',
      {'tool:run': {body: 'return {text: 1};'}},
      'hello',
      {code: 'HOOK_FAILED', message: 'odd failed at tool:run: the answer lacks "model".'},
    ],
  ])('of which %s gives something that is no result fails, naming it', async (_, listeners, text, error) => {
    await using kernel = await createTestKernel({plugins: [probe, await makeListeners('odd', listeners)]});
    expect(await kernel.call('echo', {text})).toMatchObject({status: 'failed', error});
  });

  test('without a judge is asked, and refused without a person', async () => {
    expect(await callEdit([])).toMatchObject({
      status: 'refused',
      reason: 'No installed policy covers this call. There is no person to approve it.',
      by: 'tool:confirm',
    });
  });

  test.each([
    ['yes', {status: 'done', result: {model: '/p/a=x'}}],
    ['no', {status: 'refused', by: 'tool:confirm'}],
  ] as const)('that is asked goes as the person says: %s', async (confirm, expected) => {
    expect(await callEdit([], {confirm})).toMatchObject(expected);
  });

  test('that a judge denies is refused with the reason and the judge, whatever the person would say', async () => {
    const judge = await makeListeners('judge', {
      'tool:judge': {body: "return {decision: 'deny', reason: 'Not there.'};"},
    });
    expect(await callEdit([judge], {confirm: 'yes'})).toMatchObject({
      status: 'refused',
      reason: 'Not there.',
      by: 'judge',
    });
  });

  test('can have its input changed before it is judged; the result is validated again', async () => {
    const change = (value: string) => makeListeners('changer', {'tool:input': {body: `return ${value};`}});
    expect(await callEdit([await change("{...payload.value, text: 'y'}")], {confirm: 'yes'})).toMatchObject({
      result: {model: '/p/a=y'},
    });
    expect(await callEdit([await change('{...payload.value, text: 1}')], {confirm: 'yes'})).toMatchObject({
      status: 'failed',
      error: {code: 'TOOL_INPUT_INVALID'},
    });
  });

  test('can have its result changed', async () => {
    const redact = await makeListeners('redactor', {
      'tool:result': {body: "return {...payload.value, model: payload.value.model.replace('x', '***')};"},
    });
    expect(await callEdit([redact], {confirm: 'yes'})).toMatchObject({result: {model: '/p/a=***'}});
  });

  test('shows its preview to who confirms it', async () => {
    const person = await makeListeners(
      'person',
      confirmed(
        "return {decision: payload.preview.diff === '+x' && payload.reason === 'An edit is asked.' ? 'yes' : 'no'};",
      ),
    );
    expect(await callEdit([person])).toMatchObject({status: 'done'});
  });

  test('that the person edited runs with the edited input, which must be valid', async () => {
    const edit = (text: string) =>
      makeListeners('person', confirmed(`return {decision: 'yes', input: {path: '/p/a', text: ${text}}};`));
    expect(await callEdit([await edit("'mine'")])).toMatchObject({result: {model: '/p/a=mine'}});
    expect(await callEdit([await edit('5')])).toMatchObject({status: 'failed', error: {code: 'TOOL_INPUT_INVALID'}});
  });

  test('that the person edited is judged again, so that an edit cannot lead it elsewhere [calls.edited-judged]', async () => {
    const judge =
      "return payload.input.path === '/p/a' ? {decision: 'ask', reason: 'r'} : {decision: 'deny', reason: " +
      "'Elsewhere.'};";
    const person = await makeListeners('person', {
      'tool:judge': {body: judge},
      'tool:confirm': {body: "return {decision: 'yes', input: {path: '/etc/x', text: 'x'}};"},
    });
    expect(await callEdit([person])).toMatchObject({status: 'refused', reason: 'Elsewhere.', by: 'person'});
  });

  test.each([
    ['in the answer itself', {'tool:confirm': {body: "return {decision: 'yes', text: 'edited'};"}}],
    [
      'elsewhere, before the answer counts',
      {
        'tool:confirm': {body: "return {decision: 'yes'};"},
        'tool:confirmed': {
          body: "return {...payload.value, text: payload.preview.after === 'x' ? 'edited' : 'other'};",
        },
      },
    ],
  ])('whose text was edited %s writes that text [calls.text-edited]', async (_, listeners) => {
    expect(await callEdit([await makeListeners('person', {...ask, ...listeners})])).toMatchObject({
      result: {model: '/p/a=edited'},
      confirmed: 'edited',
    });
  });

  test('whose text came back as it was is not taken for edited', async () => {
    expect(
      await callEdit([await makeListeners('person', confirmed("return {decision: 'yes', text: 'x'};"))]),
    ).toMatchObject({result: {model: '/p/a=x'}, confirmed: 'given'});
  });

  test.each([
    ['the tool can take no other', 'undefined', undefined],
    ['no text was shown', undefined, "{kind: 'text', text: path + text}"],
  ])('whose text was edited fails where %s, so that nothing is lost in silence', async (_, revise, preview) => {
    await using kernel = await createTestKernel({
      plugins: [
        await makeEditor(revise, preview),
        await makeListeners('person', confirmed("return {decision: 'yes', text: 'edited'};")),
      ],
    });
    expect(await kernel.call('edit', {path: '/p/a', text: 'x'})).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_EDIT_UNSUPPORTED',
        message: 'What edit was to write was edited, and it cannot take another text.',
      },
    });
  });

  test('asks all at once: the first answer counts, and the signals of the others abort [calls.race]', async () => {
    const slow =
      "return new Promise((_, reject) => context.signal.addEventListener('abort', () => { globalThis.toldSlow = " +
      'context.signal.reason.message; reject(context.signal.reason); }));';
    const [waiting, silent, quick] = await Promise.all([
      makeListeners('a-waiting', confirmed(slow)),
      makeListeners('b-silent', confirmed('return undefined;')),
      makeListeners(
        'c-quick',
        confirmed("await new Promise(setImmediate); return {decision: 'no', reason: 'Not now.'};"),
      ),
    ]);
    expect(await callEdit([waiting, silent, quick])).toMatchObject({status: 'refused', reason: 'Not now.'});
    expect((globalThis as {toldSlow?: string}).toldSlow).toBe('Someone else has answered.');
  });

  test('that is given up while several are asked throws the reason, and is no answer', async () => {
    const stop = new AbortController();
    const asked = confirmed(
      "globalThis.askedBoth.push(1); return new Promise((_, reject) => context.signal.addEventListener('abort', " +
        '() => reject(context.signal.reason)));',
    );
    const both: number[] = [];
    (globalThis as {askedBoth?: {push(one: number): void}}).askedBoth = {
      push: (one) => both.push(one) === 2 && stop.abort(new Error('enough')),
    };
    await using kernel = await createTestKernel({
      plugins: [await makeEditor(), await makeListeners('a-person', asked), await makeListeners('b-person', asked)],
    });
    await expect(kernel.call('edit', {path: '/p/a', text: 'x'}, {signal: stop.signal})).rejects.toThrow('enough');
  });

  test('throws the reason of its signal, unwrapped, when it is aborted [calls.abort]', async () => {
    await using kernel = await createTestKernel({plugins: [probe]});
    const reason = new Error('enough');
    await expect(kernel.call('echo', {text: 'hello'}, {signal: AbortSignal.abort(reason)})).rejects.toBe(reason);
  });

  test('gives up at once when it is aborted, whether it waits for its turn or its tool does not listen', async () => {
    const person = await makeListeners('person', confirmed("await globalThis.held; return {decision: 'yes'};"));
    let release: (value?: unknown) => void = () => undefined;
    (globalThis as {held?: Promise<unknown>}).held = new Promise((resolve) => (release = resolve));
    await using kernel = await createTestKernel({plugins: [await makeEditor(), person]});
    const first = kernel.call('edit', {path: '/p/a', text: 'x'});
    const stop = new AbortController();
    const second = kernel.call('edit', {path: '/p/a', text: 'y'}, {signal: stop.signal});
    stop.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    release();
    expect(await first).toMatchObject({result: {model: '/p/a=x'}});
  });

  test('runs on what was judged: no one can change an input afterwards', async () => {
    const sly = await makeListeners('sly', {
      'tool:input': {
        body: "return (globalThis.slyInput = {...payload.value, path: '/p/safe'});",
      },
      'tool:judge': {body: "globalThis.slyInput.path = '/etc/shadow'; return {decision: 'allow', reason: 'fine'};"},
    });
    expect(await callEdit([sly])).toMatchObject({status: 'done', result: {model: '/p/safe=x'}});
  });

  test('that changes things waits for the one before it [calls.in-order]', async () => {
    await using kernel = await createTestKernel({plugins: [await makeEditor()], confirm: 'yes'});
    const outcomes = await Promise.all(['a', 'b', 'c'].map((text) => kernel.call('edit', {path: '/p/a', text})));
    expect(outcomes.map(({status}) => status)).toEqual(['done', 'done', 'done']);
  });

  test('tells who watches how far it is', async () => {
    await using kernel = await createTestKernel({plugins: [await makeEditor()]});
    const seen: string[] = [];
    await kernel.session.call(
      {tool: 'edit', input: {path: '/p/a', text: 'x'}},
      {onProgress: ({text}) => void seen.push(text), confirm: async () => ({decision: 'yes'})},
    );
    expect(seen).toEqual(['half-way']);
  });
});

describe('a filter', () => {
  const breaking = (filter: object) =>
    makeListeners('watcher', {'tool:judge': {body: "throw new Error('loaded');", entry: {filter}}});

  test.each([
    ['tool', {tool: 'write_*'}, {tool: 'ed*'}],
    ['effect', {effect: 'read'}, {effect: ['read', 'edit']}],
    ['path', {path: '/p/*.js'}, {path: ['/q/**', '/p/*']}],
    ['braces', {path: '/p/{b,c}'}, {path: '/{p,q}/**'}],
    ['mode', {mode: 'plan'}, {mode: 'default'}],
    ['two keys', {tool: 'edit', path: '/q/**'}, {tool: 'edit', path: '**'}],
  ])(
    'by %s keeps a plugin from being asked, or even loaded, when it does not match [hooks.filter]',
    async (_, apart, fitting) => {
      expect(await callEdit([await breaking(apart)], {confirm: 'yes'})).toMatchObject({status: 'done'});
      expect(await callEdit([await breaking(fitting)], {confirm: 'yes'})).toMatchObject({
        status: 'refused',
        by: 'watcher',
      });
    },
  );
});

describe('a session', () => {
  test('tells listeners when it opens and closes, once it was announced', async () => {
    const record = '(globalThis.sessionLog ??= []).push(payload.mode);';
    const recorder = await makeListeners('recorder', {
      'session:open': {body: `${record}`},
      'session:close': {body: `${record}`},
    });
    const kernel = await createTestKernel({plugins: [recorder], mode: 'plan'});
    kernel.kernel.open();
    await kernel.close();
    await kernel.close();
    expect((globalThis as {sessionLog?: string[]}).sessionLog).toEqual(['plan', 'plan']);
  });
});

describe('what a call finds while it runs', () => {
  const names = ['/p/open', '/p/asked', '/p/closed'];
  const finder = () =>
    makePlugin(folder.path, {
      name: 'finder',
      tools: [
        {
          name: 'find',
          description: 'Finds.',
          effect: 'search',
          annotations: {},
          input: {type: 'object'},
          module: './tool.js',
        },
      ],
      files: {
        'tool.js': `import {defineTool} from '@gemini-kernel/kernel';
export default defineTool({name: 'find', description: 'Finds.', effect: 'search', input: {}, touches: async () => [{kind: 'path', value: '/p', access: 'read'}],
  async run(input, {permits}) { return {model: JSON.stringify(await permits(${JSON.stringify(names)}.map((value) => ({kind: 'path', value, access: 'read'}))))}; }});
`,
      },
    });
  const judge = (own: string) =>
    makeListeners('judge', {
      'tool:judge': {
        body:
          `const [{value}] = payload.touches; return {decision: value === '/p' ? '${own}' : value === '/p/closed' ? ` +
          `'deny' : value === '/p/asked' ? 'ask' : 'allow', reason: value};`,
      },
    });

  test.each([
    ['is open only where the judges of the call allow it', 'allow', [true, false, false]],
    ['is open also where they would ask, when a person said yes to the call', 'ask', [true, true, false]],
  ])('%s [calls.permits]', async (_, own, expected) => {
    await using kernel = await createTestKernel({plugins: [await finder(), await judge(own)], confirm: 'yes'});
    const outcome = await kernel.call('find', {});
    expect(outcome).toMatchObject({status: 'done', result: {model: JSON.stringify(expected)}});
  });

  test('a judge that breaks closes it, and the trace of the call holds only the call [calls.permits]', async () => {
    await using kernel = await createTestKernel({
      plugins: [
        await finder(),
        await makeListeners('judge', {
          'tool:judge': {
            body:
              "if (payload.touches[0].value !== '/p') throw new Error('no'); return {decision: 'allow', reason: " +
              "'p'};",
          },
        }),
      ],
    });
    const outcome = await kernel.call('find', {});
    expect(outcome).toMatchObject({status: 'done', result: {model: '[false,false,false]'}});
    expect(kernel.kernel.trace.of(outcome.callId).map(({hook}) => hook)).toEqual(['tool:judge']);
  });
});
