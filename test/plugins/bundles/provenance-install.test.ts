import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {LockedPlugin, ManagedRules, ProvenanceRule} from '@gemini-kernel/admission';
import {attestationsAnswer, helloBuild, makeAuthority, type AttestOptions} from '../../helpers/attestation.js';
import {packPackage, type PackageParts} from '../../helpers/registry.js';
import {lockHere} from './bundle/bundle-steps.js';
import {installerUnder, makeInstallScene, yes, type InstallScene} from './install/scene.js';
import {installPlugin} from '#plugins/bundles/dist/install/install-plugin.js';
import type {ConsentMeans} from '#plugins/bundles/dist/install/judge/ask-consent.js';
import {removePlugins} from '#plugins/bundles/dist/install/remove-plugins.js';
import {rollBack} from '#plugins/bundles/dist/install/roll-back.js';
import {parseSpec} from '#plugins/bundles/dist/install/source/parse-spec.js';

const authority = makeAuthority();
const {trustRoot} = authority;
const hello: PackageParts = {name: '@acme/hello', version: '1.0.0'};

/** Makes a version available with an attestation, as npm publish --provenance does. */
function publish(
  scene: InstallScene,
  parts: PackageParts = hello,
  options: AttestOptions & {readonly url?: string; readonly answer?: string | Uint8Array} = {},
): void {
  const archive = packPackage(parts);
  const {url, answer = attestationsAnswer(authority.attest({...parts, archive}, options))} = options;
  scene.registry.publish(parts, {archive, attestations: {answer, ...(url ? {url} : {})}});
}

interface Done {
  readonly locked: LockedPlugin;
  readonly shown: readonly string[];
  readonly changed: boolean;
}

async function install(
  scene: InstallScene,
  rules: Partial<ManagedRules> = {trustRoot},
  consent: Omit<ConsentMeans, 'show'> = yes,
): Promise<Done> {
  // What is imported when it is needed comes first: jest must have linked it by then.
  await import('#plugins/bundles/dist/install/fetch/provenance/obtain-provenance.js');
  const shown: string[] = [];
  const show = (lines: readonly string[]): number => shown.push(...lines);
  const done = await installPlugin(await installerUnder(scene, rules), {
    wanted: parseSpec(hello.name, scene.project),
    consent: {...consent, show},
    force: false,
  });
  return {locked: done.locked, changed: done.changed, shown};
}

const wanting = (provenance: ProvenanceRule): Partial<ManagedRules> => ({
  trustRoot,
  plugins: {'@acme/*': {provenance}},
});
const asksFor = ({registry}: InstallScene): readonly string[] =>
  registry.requests.filter((path) => path.includes('attestations'));

test('what an attestation proves is shown in the consent question, and locked', async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  const {locked, shown} = await install(scene);
  expect(locked.provenance).toEqual(helloBuild);
  expect((await scene.lock())?.plugins['@acme/hello']?.provenance).toEqual(helloBuild);
  expect(shown).toContain(
    '  built from  https://github.com/acme/hello at 0123456789ab (refs/tags/v1.0.0) by ' +
      '.github/workflows/release.yml, proven by Sigstore, attested by ' +
      'https://token.actions.githubusercontent.com',
  );
  expect(asksFor(scene)).toEqual(['/-/npm/v1/attestations/@acme/hello@1.0.0']);
  expect(await install(scene)).toMatchObject({changed: false, shown: []});
});

test('a rollback to a version that was proven satisfies a rule about where it was built', async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  await install(scene);
  const rules = wanting({repository: helloBuild.repository});
  await removePlugins(await installerUnder(scene, rules), ['@acme/hello']);
  expect(await rollBack(await installerUnder(scene, rules), {})).toMatchObject({
    changes: [{name: '@acme/hello', after: '1.0.0'}],
  });
  await removePlugins(await installerUnder(scene, rules), ['@acme/hello']);
  const other = await installerUnder(scene, wanting({repository: 'https://github.com/acme/other'}));
  await expect(rollBack(other, {})).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('it was built from https://github.com/acme/hello'),
  });
});

test('a package without attestations asks for none and says nothing of them', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  const {locked, shown} = await install(scene);
  expect([locked.provenance, shown.some((line) => line.includes('built from')), asksFor(scene)]).toEqual([
    undefined,
    false,
    [],
  ]);
});

test.each<[string, AttestOptions & {readonly answer?: string}, string]>([
  [
    'of another package',
    {subject: [{name: 'pkg:npm/%40acme/other@1.0.0', digest: {sha512: '00'}}]},
    'it is about "pkg:npm/%40acme/other@1.0.0"',
  ],
  [
    'of other bytes',
    {subject: [{name: 'pkg:npm/%40acme/hello@1.0.0', digest: {sha512: '00'.repeat(64)}}]},
    'it is about an archive with other bytes',
  ],
  [
    'whose certificate had expired',
    {at: new Date('2026-02-01T00:00:00Z')},
    'no trusted authority vouches for its certificate',
  ],
  [
    'that was changed',
    {tamper: (payload) => payload.replace('release.yml', 'other.yml')},
    'the signature log that it names does not confirm it',
  ],
  [
    'that says something else than its certificate',
    {said: {repository: 'https://github.com/acme/other'}},
    'it names the repository https://github.com/acme/other',
  ],
  ['that cannot be parsed', {answer: '<html>'}, 'the registry sent invalid JSON'],
])('an attestation %s refuses the installation, rules or not', async (_, options, reason) => {
  await using scene = await makeInstallScene();
  publish(scene, hello, options);
  await expect(install(scene)).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
    message: expect.stringContaining(reason),
  });
  expect([await scene.lock(), await scene.stored()]).toEqual([undefined, []]);
});

test("an attestation under another root than the administrator's, or than the public one, refuses the installation", async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  await expect(install(scene, {trustRoot: makeAuthority().trustRoot})).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
  });
  await expect(install(scene, {})).rejects.toMatchObject({code: 'PROVENANCE_BROKEN'});
  await expect(
    install(scene, {
      trustRoot: {...trustRoot, certificateAuthorities: [{certChain: {certificates: [{rawBytes: 'AAAA'}]}}]},
    }),
  ).rejects.toMatchObject({code: 'MANAGED_UNMET', message: expect.stringContaining('trustRoot cannot be read')});
});

test('an archive that is swapped on the way is refused before anything is asked of it', async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  scene.registry.misbehave(/\.tgz$/, 'swap');
  await expect(install(scene)).rejects.toMatchObject({code: 'INSTALL_CHANGED'});
  expect(asksFor(scene)).toEqual([]);
});

test('a rule lets in what was built where it says, and refuses the rest with both names', async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  await expect(install(scene, wanting({repository: 'https://github.com/acme/other'}))).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message:
      '@acme/hello 1.0.0 may not be installed: it was built from https://github.com/acme/hello, and the ' +
      'administrator wants it built from https://github.com/acme/other.',
  });
  await expect(install(scene, wanting({repository: 'https://github.com/acme/hel'}))).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
  });
  expect(await scene.lock()).toBeUndefined();
  expect(
    (
      await install(
        scene,
        wanting({
          repository: 'https://github.com/acme/*',
          workflow: '.github/workflows/release.yml',
          ref: 'refs/tags/*',
        }),
      )
    ).locked.provenance,
  ).toEqual(helloBuild);
});

test('under a rule, what nothing is proven of is refused', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await expect(install(scene, wanting({repository: helloBuild.repository}))).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message:
      '@acme/hello 1.0.0 may not be installed: nothing proves where it was built, and the administrator wants it ' +
      'built from https://github.com/acme/hello.',
  });
});

test('only the registry is asked for attestations', async () => {
  await using scene = await makeInstallScene();
  await using other = await makeInstallScene();
  publish(scene, hello, {url: `${other.registry.url}-/npm/v1/attestations/@acme%2fhello@1.0.0`});
  const {locked, shown} = await install(scene);
  const host = (one: InstallScene): string => new URL(one.registry.url).host;
  expect([locked.provenance, other.registry.requests]).toEqual([undefined, []]);
  expect(shown).toContain(
    `  built from  unproven: ${host(scene)} says that its attestations are at ${host(other)}, but only ` +
      'the registry itself is asked',
  );
  await expect(install(scene, wanting({repository: helloBuild.repository}))).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('nothing proves where it was built'),
  });
});

test('only the registry is asked, even when it redirects elsewhere', async () => {
  await using scene = await makeInstallScene();
  await using other = await makeInstallScene();
  publish(scene);
  const front = createServer((request, response) => {
    if (request.url?.includes('attestations'))
      return void response.writeHead(302, {location: `${other.registry.url}attestations`}).end();
    void fetch(`${scene.registry.url}${(request.url ?? '').slice(1)}`).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      response.end(request.url?.endsWith('.tgz') ? body : body.toString('utf8').replaceAll(scene.registry.url, own));
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const own = `http://127.0.0.1:${(front.address() as AddressInfo).port}/`;
  try {
    const behind = {...scene, variables: {...scene.variables, npm_config_registry: own}};
    await expect(install(behind)).rejects.toMatchObject({
      code: 'INSTALL_UNREACHABLE',
      message: expect.stringContaining('but only the registry itself is asked'),
    });
    expect(other.registry.requests).toEqual([]);
  } finally {
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
  }
});

test(
  'a registry that does not have the attestations it names lets a plugin in, with that said, where no rule wants ' +
    'more',
  async () => {
    await using scene = await makeInstallScene();
    publish(scene);
    scene.registry.misbehave(/attestations/, 404);
    const {locked, shown} = await install(scene);
    expect(locked.provenance).toBeUndefined();
    expect(shown).toContain(
      `  built from  unproven: ${new URL(scene.registry.url).host} lists attestations but does not have them`,
    );
    await expect(install(scene, wanting({repository: helloBuild.repository}))).rejects.toMatchObject({
      code: 'INSTALL_FORBIDDEN',
    });
  },
);

test('a registry that fails, hangs or sends far too much instead of attestations lets nothing in', async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  scene.registry.misbehave(/attestations/, 500);
  await expect(install(scene)).rejects.toMatchObject({
    code: 'INSTALL_UNREACHABLE',
    message: expect.stringContaining('Cannot get the attestations of @acme/hello 1.0.0'),
  });
  scene.registry.misbehave(/attestations/, 'hang');
  await expect(
    install({...scene, variables: {...scene.variables, npm_config_fetch_timeout: '300'}}),
  ).rejects.toMatchObject({code: 'INSTALL_UNREACHABLE', message: expect.stringContaining('it did not answer in time')});
  scene.registry.misbehave(/attestations/, undefined);
  publish(scene, hello, {answer: Buffer.alloc(50_000_000, 0x20)});
  await expect(install(scene)).rejects.toMatchObject({
    code: 'INSTALL_UNREACHABLE',
    message: expect.stringContaining('it is larger than 4194304 bytes'),
  });
  scene.registry.protect('secret');
  await expect(install(scene)).rejects.toMatchObject({code: 'INSTALL_UNAUTHORISED'});
  expect(await scene.lock()).toBeUndefined();
});

test.each<[string, AttestOptions | undefined, string]>([
  [
    'no proof',
    undefined,
    '  new         it was proven before to be built from https://github.com/acme/hello; now nothing ' +
      'proves where it was built',
  ],
  [
    'another repository',
    {build: {repository: 'https://github.com/evil/hello'}},
    '  new         before, it was built from https://github.com/acme/hello; now from https://github.com/evil/hello',
  ],
  [
    'another issuer',
    {build: {issuer: 'https://ci.evil.example'}},
    '  new         before, it was built from https://github.com/acme/hello, attested by ' +
      'https://token.actions.githubusercontent.com; now attested by https://ci.evil.example',
  ],
])('an update with %s is asked about again', async (_, options, line) => {
  await using scene = await makeInstallScene();
  publish(scene);
  await install(scene);
  const next = {...hello, version: '1.1.0'};
  if (options) publish(scene, next, options);
  else scene.registry.publish(next);
  await expect(install(scene, {trustRoot}, {yes: false, force: false})).rejects.toMatchObject({
    code: 'INSTALL_UNCONFIRMED',
  });
  expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0'});
  expect((await install(scene)).shown).toContain(line);
});

test('an update with the same proof, or with a first one, asks nothing', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish(hello);
  await install(scene);
  publish(scene, {...hello, version: '1.1.0'});
  expect((await install(scene, {trustRoot}, {yes: false, force: false})).locked.provenance).toEqual(helloBuild);
  publish(scene, {...hello, version: '1.2.0'}, {build: {ref: 'refs/tags/v1.2.0', commit: 'a'.repeat(40)}});
  expect((await install(scene, {trustRoot}, {yes: false, force: false})).locked.provenance).toEqual({
    ...helloBuild,
    ref: 'refs/tags/v1.2.0',
    commit: 'a'.repeat(40),
  });
});

test(
  'an installed version whose attestations are gone is asked about, and one whose attestations came is locked with ' +
    'them',
  async () => {
    await using scene = await makeInstallScene();
    scene.registry.publish(hello);
    expect((await install(scene)).locked.provenance).toBeUndefined();
    publish(scene);
    expect(await install(scene, {trustRoot}, {yes: false, force: false})).toMatchObject({
      changed: true,
      locked: {provenance: helloBuild},
    });
    scene.registry.misbehave(/attestations/, 404);
    await expect(install(scene, {trustRoot}, {yes: false, force: false})).rejects.toMatchObject({
      code: 'INSTALL_UNCONFIRMED',
    });
  },
);

test('list, inspect and audit say where it was built', async () => {
  await using scene = await makeInstallScene();
  publish(scene);
  await install(scene);
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await scene.gemini('plugins', ...args)).stdout);
  const line =
    'built from  https://github.com/acme/hello at 0123456789ab (refs/tags/v1.0.0) by ' +
    '.github/workflows/release.yml, proven by Sigstore';
  expect(await json('list', '--json')).toMatchObject([{name: '@acme/hello', provenance: helloBuild}]);
  expect((await scene.gemini('plugins', 'inspect', '@acme/hello')).stdout).toContain(line);
  expect((await scene.gemini('plugins', 'audit')).stdout).toContain(line);
  expect(await json('audit', '--json')).toMatchObject({plugins: [{name: '@acme/hello', provenance: helloBuild}]});
  expect(await json('audit', '--format', 'cyclonedx')).toMatchObject({
    components: [
      {
        name: '@acme/hello',
        externalReferences: [{type: 'vcs', url: helloBuild.repository}],
        pedigree: {commits: [{uid: helloBuild.commit}]},
        properties: expect.arrayContaining([
          {name: 'gemini:provenance:workflow', value: helloBuild.workflow},
          {name: 'gemini:provenance:issuer', value: helloBuild.issuer},
        ]),
      },
    ],
  });
});

test('bundle lock verifies and locks it, holds it against rules, and diff shows when it changes', async () => {
  await using scene = await makeInstallScene();
  const place = {
    cwd: scene.project,
    home: scene.home,
    variables: {PATH: process.env['PATH'] ?? '', HOME: scene.home, ...scene.variables},
  };
  const rules = join(scene.home, 'no-system', 'plugins.d');
  await mkdir(rules, {recursive: true});
  const under = (some: Partial<ManagedRules>): Promise<void> =>
    writeFile(join(rules, 'rules.json'), JSON.stringify(some));
  const bundle = async (name: string, version: string): Promise<string> => {
    await scene.write({
      [`${name}.bundle.json`]: JSON.stringify({
        name: 'corp',
        description: 'Made for a test.',
        plugins: [{name: '@acme/hello', version}],
      }),
    });
    return join(scene.project, `${name}.bundle.json`);
  };
  publish(scene);
  await import('#plugins/bundles/dist/install/fetch/provenance/obtain-provenance.js');
  await under(wanting({repository: 'https://github.com/acme/other'}));
  await expect(lockHere(place, await bundle('one', '1.0.0'))).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('it was built from https://github.com/acme/hello'),
  });
  await under(wanting({repository: helloBuild.repository}));
  const before = await lockHere(place, await bundle('one', '1.0.0'));
  const {plugins} = JSON.parse(await readFile(before.file, 'utf8')) as {
    plugins: {installed: Record<string, LockedPlugin>};
  };
  expect(plugins.installed['@acme/hello']?.provenance).toEqual(helloBuild);
  await under({trustRoot});
  publish(
    scene,
    {...hello, version: '1.1.0'},
    {build: {repository: 'https://github.com/evil/hello', commit: 'e'.repeat(40)}},
  );
  const after = await lockHere(place, await bundle('two', '1.1.0'));
  const {stdout} = await scene.gemini('bundle', 'diff', before.file, after.file);
  expect(stdout).toContain(
    '~ provenance.repository: "https://github.com/acme/hello" -> "https://github.com/evil/hello"',
  );
  expect(stdout).toContain(`~ provenance.commit: "${helloBuild.commit}" -> "${'e'.repeat(40)}"`);
  publish(scene, {...hello, version: '1.2.0'}, {tamper: (payload) => payload.replace('release', 'other')});
  await expect(lockHere(place, await bundle('three', '1.2.0'))).rejects.toMatchObject({code: 'PROVENANCE_BROKEN'});
});
