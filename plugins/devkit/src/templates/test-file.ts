import type {NewPlugin} from '../new-plugin.js';

/** The tests of a new plugin: each of its parts, in a real kernel. */
export function testFile(plugin: NewPlugin): string {
  const {kinds} = plugin;
  const parts = [
    head(plugin),
    ...(kinds.has('tool') ? [toolTests(plugin)] : []),
    ...(kinds.has('setting') ? [settingTest(plugin)] : []),
    ...(kinds.has('service') ? [serviceTest(plugin)] : []),
    ...(kinds.has('command') ? [commandTest(plugin)] : []),
    ...(kinds.has('hook') ? [hookTests] : []),
  ];
  return `import assert from 'node:assert/strict';
import {resolve} from 'node:path';
import {test} from 'node:test';
import {createTestKernel, readPlugin} from '@gemini-kernel/kernel/testing';
${kinds.has('command') ? "import {Config} from '@oclif/core';\n" : ''}
${parts.join('\n')}`;
}

function head({kinds}: NewPlugin): string {
  const needed = [
    'settings',
    'workspace',
    ...(kinds.has('hook') ? ['filesystem'] : []),
    ...(kinds.has('tool') ? ['trust', 'env', 'policy', 'agent', 'model-replay'] : []),
  ];
  return `// The parts of the product that the tests need; gemini plugins test links them into node_modules.
const product = [
${needed.map((name) => `  'node_modules/@gemini-kernel/plugin-${name}',\n`).join('')}].map((folder) => resolve(folder));
// And this plugin as installed: it has only the capabilities that it declares.
const plugins = [...product, {...(await readPlugin(resolve('.'))), origin: 'user'}];
const files = {'poem.txt': 'so much depends\\nupon\\n'};
const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};

async function withKernel(options, act) {
  const kernel = await createTestKernel({plugins, files, variables, ...options});
  try {
    return await act(kernel);
  } finally {
    await kernel.close();
  }
}
`;
}

function toolTests({snake}: NewPlugin): string {
  return `test('${snake}_count counts the words and lines of a file', async () => {
  const {status, result} = await withKernel({confirm: 'yes'}, (kernel) =>
    kernel.call('${snake}_count', {file_path: 'poem.txt'}),
  );
  assert.deepEqual({status, model: result?.model}, {status: 'done', model: '4 words, 2 lines'});
});

test('${snake}_count says which file it cannot read', async () => {
  const {status, error} = await withKernel({confirm: 'yes'}, (kernel) =>
    kernel.call('${snake}_count', {file_path: 'none.txt'}),
  );
  assert.deepEqual({status, code: error?.code}, {status: 'failed', code: 'TEXT_UNREADABLE'});
});

test('a model calls ${snake}_count and gets the count', async () => {
  // What the model says, answer by answer; it is asked again when its calls have run.
  const stop = {kind: 'end', reason: 'stop'};
  const script = [
    [{kind: 'call', id: '1', name: '${snake}_count', input: {file_path: 'poem.txt'}}, stop],
    [{kind: 'text', text: 'Four words.'}, stop],
  ];
  const recording = script.map((response) => JSON.stringify({method: 'stream', response})).join('\\n');
  const rule = '[[rule]]\\ntoolName = "${snake}_count"\\ndecision = "allow"\\npriority = 100\\n';
  const options = {
    files: {...files, 'script.jsonl': recording},
    flags: {'model.name': 'replay:script.jsonl'},
    // A person would be asked; here a rule says yes.
    homeFiles: {'.gemini/policies/test.toml': rule},
    live: true,
  };
  await withKernel(options, async (kernel) => {
    const told = [];
    const agent = await kernel.service('agent');
    const {status, text} = await agent.send({text: 'How long is poem.txt?'}, {
      signal: new AbortController().signal,
      onEvent: (event) => event.kind === 'result' && told.push(event.call.output),
    });
    assert.deepEqual({status, text, told}, {status: 'done', text: 'Four words.', told: [[{text: '4 words, 2 lines'}]]});
  });
});
`;
}

function settingTest({snake, camel}: NewPlugin): string {
  return `test('${snake}_count says when a file has more words than ${camel}.limit', async () => {
  const homeFiles = {'.gemini/settings.json': JSON.stringify({${camel}: {limit: 3}})};
  const {result} = await withKernel({confirm: 'yes', homeFiles}, (kernel) =>
    kernel.call('${snake}_count', {file_path: 'poem.txt'}),
  );
  assert.equal(result?.model, '4 words, 2 lines, more than 3');
});
`;
}

function serviceTest({noun}: NewPlugin): string {
  return `test('the service ${noun} counts the words and lines of a file', async () => {
  await withKernel({}, async (kernel) => {
    const counter = await kernel.service('${noun}');
    assert.deepEqual(await counter.count('poem.txt'), {words: 4, lines: 2});
  });
});
`;
}

function commandTest({noun}: NewPlugin): string {
  return `test('gemini ${noun} count counts the words and lines of a file', async () => {
  await withKernel({}, async ({kernel, session}) => {
    const {signal} = new AbortController();
    const gemini = {catalog: kernel.catalog, live: {kernel, session}, signal, terminal: false, colour: false};
    const config = await Config.load({root: resolve('.'), gemini});
    assert.deepEqual(await config.runCommand('${noun}:count', ['poem.txt']), {words: 4, lines: 2});
  });
});
`;
}

const hookTests = `test('a generated file is not changed', async () => {
  const {status, reason} = await withKernel({confirm: 'yes'}, (kernel) =>
    kernel.call('write_file', {file_path: 'words.generated.txt', content: 'x'}),
  );
  assert.equal(status, 'refused');
  assert.equal(reason, 'This file is generated. Change what it is made from.');
});

test('any other file is', async () => {
  const {status} = await withKernel({confirm: 'yes'}, (kernel) =>
    kernel.call('write_file', {file_path: 'words.txt', content: 'x'}),
  );
  assert.equal(status, 'done');
});
`;
