import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Builds} from '@gemini-kernel/plugin-bundles/contract';
import {LiveBuilds} from '#plugins/bundles/dist/install/fetch/provenance/live-builds.js';
import {ExtensionLock} from '#plugins/extensions/dist/store/extension-lock.js';
import {installExtension, type Installed} from '#plugins/extensions/dist/store/install-extension.js';
import {attestationsAnswer, helloBuild, makeAuthority, type AttestOptions} from '../../helpers/attestation.js';
import {packPackage, serveRegistry, type Registry} from '../../helpers/registry.js';
import {extension, makeFolder, type Folder} from './scene.js';

const authority = makeAuthority();
const NAME = '@acme/one';

let place: Folder;
let registry: Registry;
let lock: ExtensionLock;
beforeEach(async () => {
  place = await makeFolder();
  registry = await serveRegistry();
  lock = new ExtensionLock(join(place.path, 'data'));
  await mkdir(join(place.path, 'rules'));
  await writeFile(join(place.path, 'rules', 'rules.json'), JSON.stringify({trustRoot: authority.trustRoot}));
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** The service, for a person with this registry under an administrator with an authority of their own. */
function buildsHere(): Builds {
  const variables = {...process.env, HOME: place.path, npm_config_registry: registry.url};
  const places = {system: {rules: join(place.path, 'rules')}} as InstallPlaces;
  return new LiveBuilds({
    environment: {home: place.path, cwd: place.path, platform: process.platform, variables},
    service: () => Promise.resolve({places: () => Promise.resolve(places)}),
    signal: new AbortController().signal,
  } as unknown as ConstructorParameters<typeof LiveBuilds>[0]);
}

/** Publishes a version of the extension, with an attestation where one is made. */
function publish(version: string, attested?: AttestOptions | {readonly answer: string}): void {
  const parts = {name: NAME, version, manifest: null, files: extension({name: 'one', version})};
  const archive = packPackage(parts);
  if (!attested) return registry.publish(parts, {archive});
  const answer =
    'answer' in attested ? attested.answer : attestationsAnswer(authority.attest({...parts, archive}, attested));
  return registry.publish(parts, {archive, attestations: {answer}});
}

async function install(version: string, shown: string[] = [], isAgreed = true): Promise<Installed> {
  return installExtension({
    lock,
    source: {type: 'npm', location: `npm:${NAME}@${version}`},
    environment: {
      platform: process.platform,
      variables: {...process.env, HOME: place.path, npm_config_registry: registry.url},
    },
    signal: new AbortController().signal,
    builds: buildsHere(),
    tell: (sentence) => void shown.push(sentence),
    means: {isAgreed, ask: () => Promise.resolve({outcome: 'nobody'}), show: (lines) => void shown.push(...lines)},
    judge: () => Promise.resolve(),
  });
}

const LINE =
  'Was built from https://github.com/acme/hello, proven by Sigstore, attested by ' +
  'https://token.actions.githubusercontent.com';

test('where a package was built is proven, shown and locked [extensions.built]', async () => {
  publish('1.0.0', {});
  const shown: string[] = [];
  await install('1.0.0', shown);
  expect(shown).toContain(`  ${LINE}`);
  expect((await lock.read())['one']?.source.built).toEqual(helloBuild);
  // An update that is built in the same place asks for nothing new.
  publish('1.1.0', {build: {commit: 'f'.repeat(40), ref: 'refs/tags/v1.1.0'}});
  expect(await install('1.1.0', [], false)).toMatchObject({version: '1.1.0', before: '1.0.0'});
}, 60_000);

test('an update that is proven no more, or is built elsewhere, is asked about [extensions.built]', async () => {
  publish('1.0.0', {});
  await install('1.0.0');
  publish('1.1.0');
  const shown: string[] = [];
  await expect(install('1.1.0', shown, false)).rejects.toMatchObject({code: 'EXTENSION_REFUSED'});
  expect(shown).toContain(`  - ${LINE}`);
  publish('1.2.0', {build: {repository: 'https://github.com/acme/other'}});
  await expect(install('1.2.0', shown, false)).rejects.toMatchObject({code: 'EXTENSION_REFUSED'});
  expect(shown).toContain(`  + ${LINE.replace('acme/hello', 'acme/other')}`);
  expect((await lock.read())['one']?.version).toBe('1.0.0');
  expect((await install('1.1.0')).source.built).toBeUndefined();
}, 60_000);

test('an attestation of other bytes refuses the package; one that says nothing is reported [extensions.built]', async () => {
  publish('1.0.0', {subject: [{name: `pkg:npm/${NAME}@1.0.0`, digest: {sha512: '0'.repeat(128)}}]});
  await expect(install('1.0.0')).rejects.toMatchObject({code: 'PROVENANCE_BROKEN'});
  expect(await lock.read()).toEqual({});
  publish('2.0.0', {predicateType: 'https://example.com/other/v1'});
  const shown: string[] = [];
  await install('2.0.0', shown);
  expect(shown).toContain(
    'Nothing proves where @acme/one 2.0.0 was built: its attestations do not say where it was built.',
  );
}, 60_000);
