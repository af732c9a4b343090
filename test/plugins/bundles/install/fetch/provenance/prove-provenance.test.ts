import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, test} from '@jest/globals';
import type {Provenance} from '@gemini-kernel/admission';
import {attestationsAnswer, helloBuild, makeAuthority, type AttestOptions} from '../../../../../helpers/attestation.js';
import {checkout} from '../../../../../helpers/plugin-root.js';
import {proveProvenance} from '#plugins/bundles/dist/install/fetch/provenance/prove-provenance.js';
import {
  readTrust,
  shippedTrustFile,
  type ShippedTrust,
} from '#plugins/bundles/dist/install/fetch/provenance/trust-root.js';

const authority = makeAuthority();
const archive = Buffer.from('the bytes of an archive');
const integrityOf = (bytes: Uint8Array): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
const hello = {name: '@acme/hello', version: '1.0.0', archive};
const subject = {name: hello.name, version: hello.version, integrity: integrityOf(archive)};

async function prove(
  answer: string | Uint8Array,
  trustRoot: ShippedTrust['root'] = authority.trustRoot,
): Promise<Provenance | undefined> {
  return proveProvenance(Buffer.from(answer), subject, await readTrust({root: trustRoot, keys: {}}));
}

test.each(['v1', 'v0.2'] as const)(
  'an attestation in the form %s proves what its certificate says of the build',
  async (form) => {
    expect(await prove(attestationsAnswer(authority.attest(hello, {form})))).toEqual(helloBuild);
  },
);

const digest = {sha512: createHash('sha512').update(archive).digest('hex')};

test.each<[string, AttestOptions, string]>([
  [
    'another package',
    {subject: [{name: 'pkg:npm/%40acme/other@1.0.0', digest}]},
    'it is about "pkg:npm/%40acme/other@1.0.0", not about pkg:npm/%40acme/hello@1.0.0',
  ],
  [
    'another version',
    {subject: [{name: 'pkg:npm/%40acme/hello@1.0.1', digest}]},
    'it is about "pkg:npm/%40acme/hello@1.0.1"',
  ],
  [
    'a scope that is not encoded',
    {subject: [{name: 'pkg:npm/@acme/hello@1.0.0', digest}]},
    'it is about "pkg:npm/@acme/hello@1.0.0"',
  ],
  [
    'more than one archive',
    {
      subject: [
        {name: 'pkg:npm/%40acme/hello@1.0.0', digest},
        {name: 'pkg:npm/other@1.0.0', digest},
      ],
    },
    'it is about 2 archives',
  ],
  ['being about nothing', {subject: []}, 'it is about undefined'],
  [
    'other bytes',
    {subject: [{name: 'pkg:npm/%40acme/hello@1.0.0', digest: {sha512: '00'.repeat(64)}}]},
    'it is about an archive with other bytes',
  ],
  [
    'no bytes',
    {subject: [{name: 'pkg:npm/%40acme/hello@1.0.0', digest: {sha256: '00'.repeat(32)}}]},
    'it is about an archive with other bytes',
  ],
  [
    'a payload that was changed',
    {tamper: (payload) => payload.replace('refs/tags/v1.0.0', 'refs/tags/v6.6.6')},
    'the signature log that it names does not confirm it',
  ],
  [
    'a certificate that had expired',
    {at: new Date('2026-01-01T00:11:00Z')},
    'no trusted authority vouches for its certificate at the time of the signature',
  ],
  [
    'a certificate that was not yet good',
    {at: new Date('2025-12-31T23:59:00Z')},
    'no trusted authority vouches for its certificate at the time of the signature',
  ],
  [
    'a repository that its certificate does not name',
    {said: {repository: 'https://github.com/acme/other'}},
    'it names the repository https://github.com/acme/other, but its certificate https://github.com/acme/hello',
  ],
  [
    'a commit that its certificate does not name',
    {said: {commit: 'f'.repeat(40)}},
    `it names the commit ${'f'.repeat(40)}, but its certificate ${helloBuild.commit}`,
  ],
  [
    'a workflow that its certificate does not name',
    {said: {workflow: '.github/workflows/evil.yml'}},
    'it names the workflow .github/workflows/evil.yml, but its certificate .github/workflows/release.yml',
  ],
  [
    'a ref that its certificate does not name',
    {said: {ref: 'refs/heads/evil'}},
    'it names the workflow at refs/heads/evil, but its certificate refs/tags/v1.0.0',
  ],
  [
    'a commit that its certificate does not name, in the older form',
    {form: 'v0.2', said: {commit: 'f'.repeat(40)}},
    `it names the commit ${'f'.repeat(40)}, but its certificate ${helloBuild.commit}`,
  ],
  [
    'an address with a user in it',
    {build: {repository: 'https://github.com@evil.example/acme/hello'}},
    'its certificate names "https://github.com@evil.example/acme/hello", which is not the address of a repository',
  ],
  [
    'an address that leads elsewhere',
    {build: {repository: 'https://github.com/acme/hello/../other'}},
    'which is not the address of a repository',
  ],
  [
    'an address without encryption',
    {build: {repository: 'http://github.com/acme/hello'}},
    'which is not the address of a repository',
  ],
  ['an invalid commit', {build: {commit: 'main'}}, 'its certificate names "main", which is not a commit'],
])('an attestation is refused for %s', async (_, options, reason) => {
  await expect(prove(attestationsAnswer(authority.attest(hello, options)))).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
    message: expect.stringMatching(/^An attestation of @acme\/hello 1\.0\.0 is not valid: /),
  });
  await expect(prove(attestationsAnswer(authority.attest(hello, options)))).rejects.toMatchObject({
    message: expect.stringContaining(reason),
  });
});

test('an attestation under another root is refused, and so is one good one beside a bad one', async () => {
  const other = makeAuthority();
  await expect(prove(attestationsAnswer(other.attest(hello)))).rejects.toMatchObject({code: 'PROVENANCE_BROKEN'});
  await expect(prove(attestationsAnswer(authority.attest(hello), other.attest(hello)))).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
  });
  await expect(
    prove(attestationsAnswer(authority.attest(hello), authority.attest(hello, {build: {commit: 'a'.repeat(40)}}))),
  ).rejects.toMatchObject({message: expect.stringContaining('another one names another build')});
});

type Bundle = {
  verificationMaterial: {certificate: {rawBytes: string}; tlogEntries: Record<string, unknown>[]};
  dsseEnvelope: {payload: string; signatures: {sig: string}[]};
};

test.each<[string, (bundle: Bundle) => void, RegExp]>([
  [
    'no entry in a log',
    ({verificationMaterial}) => void (verificationMaterial.tlogEntries = []),
    /nothing proves when it was signed/,
  ],
  [
    'a log entry without a promise of when',
    ({verificationMaterial: {tlogEntries}}) => void delete tlogEntries[0]?.['inclusionPromise'],
    /nothing proves when it was signed/,
  ],
  [
    'another time in the log',
    ({
      verificationMaterial: {
        tlogEntries: [entry],
      },
    }) => void Object.assign(entry ?? {}, {integratedTime: '1767225601'}),
    /the signature log that it names does not confirm it/,
  ],
  [
    'the certificate of another',
    (bundle) =>
      void (bundle.verificationMaterial.certificate.rawBytes = (
        authority.attest(hello) as Bundle
      ).verificationMaterial.certificate.rawBytes),
    /its signature does not match its content/,
  ],
  [
    'one byte of its certificate changed',
    ({verificationMaterial: {certificate}}) =>
      void (certificate.rawBytes = Buffer.from(
        Buffer.from(certificate.rawBytes, 'base64').map((byte, index, all) =>
          index === all.length - 40 ? byte ^ 1 : byte,
        ),
      ).toString('base64')),
    /no trusted authority/,
  ],
  [
    'no certificate',
    ({verificationMaterial}) => void Reflect.deleteProperty(verificationMaterial, 'certificate'),
    /it cannot be read/,
  ],
  [
    'an invalid certificate',
    ({verificationMaterial: {certificate}}) => void (certificate.rawBytes = 'AAAA'),
    /it cannot be (read|verified)/,
  ],
])('an attestation is refused for %s', async (_, change, reason) => {
  const bundle = authority.attest(hello) as Bundle;
  change(bundle);
  await expect(prove(attestationsAnswer(bundle))).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
    message: expect.stringMatching(reason),
  });
});

test.each<[string, string]>([
  ['no JSON', '<html>'],
  ['no list', '{"attestations": 7}'],
  ['null', 'null'],
  ['nothing', ''],
  ['invalid bundles', '{"attestations": [{"bundle": null}, 7, null]}'],
  ['an empty bundle', '{"attestations": [{"bundle": {}}]}'],
  ['far too many', JSON.stringify({attestations: Array.from({length: 33}, () => ({}))})],
])('an answer is refused that is %s', async (_, answer) => {
  await expect(prove(answer)).rejects.toMatchObject({code: 'PROVENANCE_BROKEN'});
});

test('an attestation of something else, or by an unknown key, proves nothing about a build and does no harm', async () => {
  expect(await prove('{"attestations": []}')).toBeUndefined();
  const published = authority.attest(hello, {
    predicateType: 'https://github.com/npm/attestation/tree/main/specs/publish/v0.1',
  });
  expect(await prove(attestationsAnswer(published))).toBeUndefined();
  expect(await prove(attestationsAnswer(published, authority.attest(hello)))).toEqual(helloBuild);
  const keyed = authority.attest(hello) as Bundle;
  const byKey = {
    ...keyed,
    verificationMaterial: {tlogEntries: keyed.verificationMaterial.tlogEntries, publicKey: {hint: 'SHA256:unknown'}},
  };
  expect(await prove(attestationsAnswer(byKey))).toBeUndefined();
});

test('a build of GitLab is read like one of GitHub', async () => {
  const build = {
    ...helloBuild,
    repository: 'https://gitlab.com/group/deep/hello',
    workflow: '/.gitlab-ci.yml',
    issuer: 'https://gitlab.com',
  };
  expect(await prove(attestationsAnswer(authority.attest(hello, {build, said: {workflow: '.gitlab-ci.yml'}})))).toEqual(
    {...build, workflow: '.gitlab-ci.yml'},
  );
});

/** What the public registry answered for a release of 2023, with its own attestation that it was published there. */
const recorded = gunzipSync(await readFile(join(checkout, 'test/fixtures/provenance/sigstore-0.4.0.json.gz')));
const release = {
  name: 'sigstore',
  version: '0.4.0',
  integrity: 'sha512-KCwMX6k20mQyFkNYG2XT3lwK9u1P36wS9YURFd85zCXPrwrSLZCEh7/vMBFNYcJXRiBtGDS+T4/RZZF493zABA==',
};

test('a real release of the public registry verifies with the root that was shipped, without a network', async () => {
  const shipped = JSON.parse(await readFile(shippedTrustFile(), 'utf8')) as ShippedTrust;
  const trust = await readTrust(shipped);
  expect(await proveProvenance(recorded, release, trust)).toEqual({
    repository: 'https://github.com/sigstore/sigstore-js',
    workflow: '.github/workflows/publish.yml',
    ref: 'refs/tags/v0.4.0',
    commit: '8a2ee2fd20dda58ffa4a8d808a65cb1e04711c03',
    issuer: 'https://token.actions.githubusercontent.com',
  });
  await expect(proveProvenance(recorded, {...release, version: '0.4.1'}, trust)).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
  });
  await expect(proveProvenance(recorded, {...release, integrity: subject.integrity}, trust)).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
  });
  await expect(
    proveProvenance(recorded, release, await readTrust({root: authority.trustRoot, keys: {}})),
  ).rejects.toMatchObject({code: 'PROVENANCE_BROKEN'});
  // The registry's own key signed the second of them.
  const {attestations} = JSON.parse(recorded.toString('utf8')) as {attestations: {bundle: Bundle}[]};
  const envelope = attestations[1]?.bundle.dsseEnvelope;
  if (envelope)
    envelope.payload = Buffer.from(
      Buffer.from(envelope.payload, 'base64').toString('utf8').replace('sigstore', 'sigst0re'),
    ).toString('base64');
  await expect(proveProvenance(Buffer.from(JSON.stringify({attestations})), release, trust)).rejects.toMatchObject({
    code: 'PROVENANCE_BROKEN',
  });
});
