import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import ts from 'typescript';
import {checkout} from '../helpers/plugin-root.js';
import {listPlugins, readBuiltManifest} from '../helpers/error-tables.js';

const manifests = await Promise.all((await listPlugins()).map(readBuiltManifest));
const services = manifests.flatMap((manifest) => manifest.services);

/** The methods of each service by its contract, which no code can read at run time. */
async function readContracts(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(checkout, 'test', 'dist', 'services-'));
  try {
    const file = join(folder, 'services.ts');
    const owners = manifests.filter((one) => one.services.length > 0).map(({name}) => name);
    const imports = owners.map((name) => `import type {} from '${name}/contract';\n`).join('');
    await writeFile(
      file,
      `import type {Services} from '@gemini-kernel/kernel';\n${imports}export declare const all: Services;\n`,
    );
    const program = ts.createProgram([file], {
      ...{strict: true, noEmit: true, skipLibCheck: true, types: ['node'], target: ts.ScriptTarget.ES2022},
      ...{module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext},
    });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    const declared = source && checker.getExportsOfModule(checker.getSymbolAtLocation(source)!)[0];
    if (!declared) throw new Error('The services could not be read.');
    const typeOf = (symbol: ts.Symbol): ts.Type => checker.getTypeOfSymbol(symbol);
    const methodsOf = (type: ts.Type): string[] =>
      checker
        .getPropertiesOfType(type)
        .filter((one) => checker.getNonNullableType(typeOf(one)).getCallSignatures().length > 0)
        .map(({name}) => name);
    return new Map(checker.getPropertiesOfType(typeOf(declared)).map((one) => [one.name, methodsOf(typeOf(one))]));
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

test('each service of the product that can travel names its methods [services.travel]', () => {
  expect(services.length).toBeGreaterThan(20);
  expect(services.flatMap(({name, local, methods}) => (local === true || methods ? [] : [name]))).toEqual([]);
});

test('the methods that a service names are those of its contract [services.travel]', async () => {
  const contracts = await readContracts();
  const named = services.filter(({name, local, methods}) => local !== true && methods && contracts.has(name));
  expect(named.length).toBeGreaterThan(15);
  const withLocal = named.map(({name, local, methods = []}) => [name, [...methods, ...((local as string[]) ?? [])]]);
  const sorted = (all: readonly (readonly [string, readonly string[]])[]): unknown =>
    Object.fromEntries(all.map(([name, methods]) => [name, [...methods].sort()]));
  expect(sorted(withLocal as [string, string[]][])).toEqual(
    sorted(named.map(({name}) => [name, contracts.get(name) ?? []])),
  );
}, 60_000);

test('no method of a service both travels and is local [services.travel]', () => {
  const torn = services.flatMap(({name, local, methods = []}) =>
    methods.filter((method) => local === true || local?.includes(method)).map((method) => `${name}.${method}`),
  );
  expect(torn).toEqual([]);
});

test('what works within one process only is this [services.travel]', () => {
  const local = services.flatMap(({name, local: kept}) => (kept ? [[name, kept] as const] : []));
  expect(Object.fromEntries(local)).toEqual({
    'a2a-clients': true,
    'acp-clients': true,
    buffers: true,
    'code-index': true,
    'code-servers': true,
    'default-rules': true,
    'enclosure:sandbox': true,
    'enclosure:worktree': true,
    isolation: ['contribute', 'grant', 'isGranted'],
    mcp: ['attach', 'complete', 'follow', 'login', 'prompt', 'resource', 'run'],
    'mcp-clients': true,
    'other-logins': ['send', 'logIn'],
    'place-rules': true,
    'remote-agents': true,
    'ui:console': true,
    'ui:terminal': true,
    conversations: ['session'],
    'run-notices': ['follow'],
    'eval-variant': true,
    'fleet-worker': true,
    ide: ['showDiff'],
    network: ['fetch', 'explain', 'tunnel'],
    secrets: ['redactor'],
    skills: ['follow'],
    subagents: ['run', 'follow', 'login'],
    workspace: ['ignoreWalk'],
  });
});
