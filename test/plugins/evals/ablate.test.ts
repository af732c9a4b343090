import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Script, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {readVariant} from '#plugins/evals/dist/variant/variant.js';
import {descriptionAt, varyTools} from '#plugins/evals/dist/variant/vary-tools.js';
import {varyInstruction} from '#plugins/evals/dist/variant/vary-instruction.js';
import {callsTools, says} from '../../helpers/run-agent.js';
import type {AgentPlace} from '../../helpers/run-agent.js';
import {hasResults, openEvals, readLines} from './scene.js';

const GREET = 'prompt = "greet"\n[expect.answer]\ncontains = "Hello"\n';
const MARK = 'The described otherwise';

/** Answers as wanted only when the request says the mark anywhere in what a model gets. */
const needsMark: Script = (request) => says(givenTo(request).includes(MARK) ? 'Hello' : 'Oh');

function givenTo({system, tools}: SeenRequest): string {
  return JSON.stringify([system, tools]);
}

async function ablate(place: AgentPlace, ...words: readonly string[]): ReturnType<AgentPlace['run']> {
  return place.run(['evals', 'ablate', ...words, '--models', 'model-a', '--output', 'r.jsonl', '--jobs', '1']);
}

async function headerOf(place: AgentPlace, file: string): Promise<Record<string, unknown>> {
  return JSON.parse((await place.read(file)).split('\n')[0] ?? '') as Record<string, unknown>;
}

/** The tools without the texts that a variant may change. */
function namesOf({tools}: SeenRequest): unknown {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([key, inner]) => key !== 'description' || typeof inner !== 'string');
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]));
  };
  return strip(tools);
}

test('half of the requests have the variant, and nothing but its text differs [evals.ablate]', async () => {
  await using place = await openEvals({greet: GREET}, {script: needsMark, files: {'d.txt': `${MARK}.\n`}});
  const end = await ablate(place, 'tools.replace.description=@d.txt', '--repeat', '4', '--html', 'page.html');
  expect(end.stderr).toBe('');
  expect(end.code).toBe(0);
  expect(end.stdout).toMatch(
    /a: without a variant\nb: tools\.replace\.description = "The described otherwise\."\n[\s\S]*▲ greet.*0\/4\s+4\/4/,
  );
  const {requests} = place.server;
  const descriptions = requests.map(({tools}) => tools.find(({name}) => name === 'replace')?.description);
  const isVaried = descriptions.map((text) => text === `${MARK}.`);
  // One of each pair, in another order each time.
  expect(isVaried).toEqual([true, false, false, true, true, false, false, true]);
  expect(new Set(requests.map((request) => JSON.stringify(namesOf(request)))).size).toBe(1);
  expect(new Set(requests.map(({system}) => system)).size).toBe(1);
  const variant = {component: 'tools.replace.description', value: `${MARK}.`};
  expect((await headerOf(place, 'r-variant.jsonl'))['variant']).toEqual(variant);
  expect(await headerOf(place, 'r.jsonl')).not.toHaveProperty('variant');
  expect((await readLines(place, 'r-variant.jsonl')).map(({status}) => status)).toEqual(Array(4).fill('passed'));
  const shown = await place.run(['evals', 'show', 'r-variant.jsonl', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({variant});
  expect((await place.run(['evals', 'replay', 'r-variant.jsonl', 'greet'])).stdout).toContain(
    'Variant: tools.replace.description = "The described otherwise."',
  );
  expect((await place.run(['evals', 'compare', 'r-variant.jsonl', 'r.jsonl'])).stdout).toMatch(
    /a: tools\.replace\.description = .*\nb: without a variant\n/,
  );
  expect(await place.read('page.html')).toContain('tools.replace.description');
});

test.each([
  ['tools.replace.parameters.old_string', 'tools'],
  ['instruction', 'system'],
  ['instruction.how-you-speak', 'system'],
] as const)('%s is replaced in the %s of requests, and only there [evals.ablate]', async (component, part) => {
  await using place = await openEvals({greet: GREET}, {script: needsMark});
  const end = await ablate(place, `${component}=${MARK}`, '--json');
  expect(JSON.parse(end.stdout)).toMatchObject({varied: {repetitions: 1, of: 1}, left: 0});
  const [a, b] = [...place.server.requests].sort((one, two) => givenTo(one).indexOf(MARK) - givenTo(two).indexOf(MARK));
  const other = part === 'tools' ? 'system' : 'tools';
  expect(a?.[other]).toEqual(b?.[other]);
  expect(JSON.stringify(b?.[part])).toContain(MARK);
  expect(JSON.stringify(a?.[part])).not.toContain(MARK);
  expect(b?.system).toContain('# Here and now\n- No person is present');
  expect((b?.system.includes('# How you work') ?? false) === (component !== 'instruction')).toBe(true);
});

/** Says that the first answer filled more than half of the model's limit. */
const fills: Script = (request) => {
  if (request.tools.length === 0) return says('<state_snapshot>It is known.</state_snapshot>');
  if (hasResults(request)) return says('Hello');
  const usage = {input: 600_000, output: 2, total: 600_002};
  return {...callsTools(['read_file', {file_path: 'long.txt'}]), usage};
};

test('compression begins at another size, and summaries have another instruction [evals.ablate]', async () => {
  const long = `${'x'.repeat(1900)}\\n`.repeat(20);
  const text = `${GREET}[files]\n"long.txt" = "${long}"\n`;
  await using place = await openEvals({greet: text}, {script: fills});
  const words = ['--models', 'gemini-2.5-pro', '--json'];
  const summaries = (): readonly string[] =>
    place.server.requests.filter(({tools}) => tools.length === 0).flatMap(({system}) => system || []);
  await place.run(['evals', 'ablate', `compression.instruction=${MARK}`, ...words]);
  expect([...summaries()].sort()).toEqual([MARK, expect.stringMatching(/^You summarise/)]);
  await place.run(['evals', 'ablate', 'compression.threshold=1', ...words]);
  expect(summaries().slice(2)).toEqual([expect.stringMatching(/^You summarise/)]);
});

test('only the person who runs it gives a variant: no file of a project does [evals.ablate]', async () => {
  const hostile = JSON.stringify({component: 'tools.replace.description', value: MARK});
  const env = `GEMINI_EVALS_VARIANT='${hostile}'\n`;
  const [first, second] = ['.env', '.gemini/.env'].map((path) => `"${path}" = ${JSON.stringify(env)}\n`);
  await using place = await openEvals(
    {greet: `${GREET}[files]\n${first}${second}`},
    {script: needsMark, files: {'.env': env, '.gemini/.env': env, '../home/.env': env, '../home/.gemini/.env': env}},
  );
  await place.run(['evals', 'run', '--models', 'model-a', '--output', 'plain.jsonl']);
  await place.ask(['-p', 'greet']);
  // One that is no variant ends a run, instead of being ignored.
  expect(await place.run(['-p', 'greet'], {variables: {GEMINI_EVALS_VARIANT: 'x'}})).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('The variable GEMINI_EVALS_VARIANT has no variant.')},
  });
  // Nor does a run inherit one that its results would not name.
  const variables = {GEMINI_EVALS_VARIANT: hostile};
  await place.run(['evals', 'run', '--models', 'model-a', '--output', 'inherited.jsonl'], {variables});
  const seen = (): readonly boolean[] => place.server.requests.map((request) => givenTo(request).includes(MARK));
  expect(seen()).toEqual([false, false, false]);
  // Results that someone else wrote give none either: the variant is always on the command line.
  const words = ['evals', 'ablate', 'instruction.how-you-speak=Be brief.', '--models', 'model-a'];
  await place.run([...words, '--output', 'r.jsonl']);
  const stranger = (await place.read('r-variant.jsonl')).replace('Be brief.', MARK);
  await writeFile(join(place.project, 'r-variant.jsonl'), stranger);
  expect(await place.run([...words, '--resume', 'r.jsonl', '--repeat', '2'])).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('r-variant.jsonl has results of another variant.')},
  });
  expect(seen()).toEqual([false, false, false, false, false]);
});

test('a comparison continues, and says when no run had the variant [evals.ablate]', async () => {
  const call = '[call]\ntool = "read_file"\n';
  await using place = await openEvals({greet: GREET, call}, {script: () => says('Hello')});
  // Questions are for runs with a person, so no run here has the tool.
  const variant = 'tools.ask_user.description=Other.';
  expect(await ablate(place, variant)).toMatchObject({
    ...{code: 1, stderr: expect.stringContaining('The variant was never used: no run had tools.ask_user.description')},
  });
  expect(place.server.requests).toHaveLength(2);
  await place.run(['evals', 'ablate', variant, '--resume', 'r.jsonl', '--repeat', '2']);
  expect(place.server.requests).toHaveLength(4);
  expect(await readLines(place, 'r-variant.jsonl')).toMatchObject([{repetition: 1}, {repetition: 2}]);
  for (const [words, sentence] of [
    [['evals', 'run', '--resume', 'r-variant.jsonl'], 'whose repetitions have a variant of tools.ask_user.description'],
    [['evals', 'ablate', 'instruction=x', '--resume', 'r-variant.jsonl'], 'has results of another variant'],
    [['evals', 'ablate', 'instruction=x', '--resume', 'r.jsonl'], 'has results of another variant'],
    [['evals', 'ablate', 'instruction=x', 'call'], 'have no prompt, so no model is asked'],
  ] as const)
    expect(await place.run(words)).toMatchObject({code: 42, stderr: expect.stringContaining(sentence)});
});

test.each([
  ['foo', '"foo" has no "="'],
  ['instructin=x', 'Did you mean instruction?'],
  ['tol.x=y', 'tools.<tool>.parameters.<parameter>, instruction, instruction.<section>'],
  ['tools.replce.description=x', 'There is no tool "replce".\nDid you mean replace?'],
  ['tools.replace.parameters.old=x', 'The tool replace has no parameter "old".\nDid you mean old_string?'],
  ['tools.replace.name=x', 'There is no component "tools.replace.name".'],
  ['instruction.how-you-wrk=x', 'Did you mean how-you-work'],
  ['compression.threshold=3', 'compression.threshold is "3", which is not a number from 0 to 1.'],
  ['compression.instruction=', 'compression.instruction is empty'],
  ['instruction=@none.txt', 'names the file "none.txt", which cannot be read'],
  ['instruction=@evals', 'which cannot be read'],
  ['instruction=@long.txt', 'has 30001 characters, which is too long'],
])('the variant %s is refused with a sentence before anything runs [evals.ablate]', async (variant, sentence) => {
  await using place = await openEvals({greet: GREET}, {files: {'long.txt': 'x'.repeat(30_001)}});
  const end = await place.run(['evals', 'ablate', variant, '--json']);
  expect(JSON.parse(end.stdout)).toMatchObject({error: {code: 'EVAL_VARIANT_INVALID', exit: 42}});
  expect({...end, requests: place.server.requests.length}).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining(sentence), requests: 0},
  });
});

test('a variant changes descriptions alone, at any depth, and adds nothing [evals.ablate]', () => {
  const items = {type: 'object', properties: {name: {type: 'string', description: 'A.'}}, required: ['name']};
  const input = {type: 'object', properties: {list: {type: 'array', items}, plain: {type: 'string'}}};
  const tools = [
    {name: 'one', description: 'One.', input},
    {name: 'two', description: 'Two.', input: {}},
  ];
  const varied = varyTools(tools, {tool: 'one', parameter: ['list', 'name']}, 'B.') ?? [];
  expect(varied).toEqual(JSON.parse(JSON.stringify(tools).replace('"A."', '"B."')));
  const [one = {name: '', description: '', input: {}}] = varied;
  const found = [['list', 'name'], ['plain'], ['x']].map((path) => descriptionAt(one, path));
  expect(found).toEqual(['B.', '', undefined]);
  for (const parameter of [['constructor'], ['__proto__'], ['list', 'other'], ['plain', 'x']])
    expect(varyTools(tools, {tool: 'one', parameter}, 'B.')).toBeUndefined();
  expect(varyTools(tools, {tool: 'three'}, 'B.')).toBeUndefined();
  const sections = [
    {name: 'opening', text: 'You.'},
    {name: 'a-b', text: '# A b\n- one'},
  ];
  expect(varyInstruction(sections, 'a-b', 'Two.')).toEqual([sections[0], {name: 'a-b', text: '# A b\nTwo.'}]);
  expect(varyInstruction(sections, 'a-b', '')).toEqual([sections[0]]);
  expect(varyInstruction(sections, 'c', 'x')).toBeUndefined();
  for (const given of ['', 'x', 'null', '{}', '{"component": "x", "value": ""}', '{"component": "instruction"}'])
    expect(() => readVariant({GEMINI_EVALS_VARIANT: given})).toThrow('has no variant');
});
