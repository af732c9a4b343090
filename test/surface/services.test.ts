import {expect, test} from '@jest/globals';
import {listPlugins, readBuiltManifest} from '../helpers/error-tables.js';

const services = (await Promise.all((await listPlugins()).map(readBuiltManifest))).flatMap(
  (manifest) => manifest.services,
);

test('each service of the product that can travel names its methods [services.travel]', () => {
  expect(services.length).toBeGreaterThan(20);
  expect(services.flatMap(({name, local, methods}) => (local === true || methods ? [] : [name]))).toEqual([]);
});

test('no method of a service both travels and is local [services.travel]', () => {
  const torn = services.flatMap(({name, local, methods = []}) =>
    methods.filter((method) => local === true || local?.includes(method)).map((method) => `${name}.${method}`),
  );
  expect(torn).toEqual([]);
});

test('what works within one process only is this [services.travel]', () => {
  const local = services.flatMap(({name, local: kept}) => (kept ? [[name, kept] as const] : []));
  expect(Object.fromEntries(local)).toEqual({
    'ui:console': true,
    conversations: ['session'],
    'run-notices': ['follow'],
    ide: ['showDiff'],
    network: ['fetch', 'explain'],
    secrets: ['redactor'],
    workspace: ['ignoreWalk'],
  });
});
