import {createHash, generateKeyPairSync, sign, type KeyObject} from 'node:crypto';

/** What a build says of itself, as the one who runs it certifies it. */
export interface Build {
  readonly repository: string;
  readonly workflow: string;
  readonly ref: string;
  readonly commit: string;
  readonly issuer: string;
}

export interface AttestedPackage {
  readonly name: string;
  readonly version: string;
  readonly archive: Uint8Array;
}

export interface AttestOptions {
  /** More of the build that is certified, than that it is one of acme/hello on GitHub. */
  readonly build?: Partial<Build>;
  /** Another build than the certified one, for the statement to speak of. */
  readonly said?: Partial<Build>;
  /** When it was signed; the certificate is good for ten minutes from `certified` on. */
  readonly at?: Date;
  readonly certified?: Date;
  readonly form?: 'v1' | 'v0.2';
  /** A statement of another kind, with nothing of a build in it. */
  readonly predicateType?: string;
  /** Subjects instead of the one that the package is. */
  readonly subject?: readonly object[];
  /** Changes the payload after it was signed. */
  tamper?(payload: string): string;
}

/** A Sigstore of one's own: an authority that gives certificates, their log, and the log of signatures. */
export interface Authority {
  /** As an administrator writes it down. */
  readonly trustRoot: Readonly<Record<string, unknown>>;
  /** One attestation of a package. */
  attest(subject: AttestedPackage, options?: AttestOptions): object;
}

/** The build that is certified when nothing else is asked for. */
export const helloBuild: Build = {
  repository: 'https://github.com/acme/hello',
  workflow: '.github/workflows/release.yml',
  ref: 'refs/tags/v1.0.0',
  commit: '0123456789abcdef0123456789abcdef01234567',
  issuer: 'https://token.actions.githubusercontent.com',
};

/** What a registry answers when it is asked for attestations. */
export function attestationsAnswer(...bundles: readonly object[]): string {
  return JSON.stringify({
    attestations: bundles.map((bundle) => ({predicateType: 'https://slsa.dev/provenance/v1', bundle})),
  });
}

interface Pair {
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
  /** Digest of the public key. */
  readonly id: Buffer;
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const signWith = (data: string | Uint8Array, {privateKey}: Pair): Buffer =>
  sign('sha256', Buffer.from(data), privateKey);

function makePair(): Pair {
  const {publicKey, privateKey} = generateKeyPairSync('ec', {namedCurve: 'prime256v1'});
  const der = publicKey.export({type: 'spki', format: 'der'});
  return {publicKey: der, privateKey, id: sha256(der)};
}

/** DER, as far as certificates need it. */
function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
const octets = (...parts: readonly Uint8Array[]): Buffer => tlv(0x04, ...parts);
const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text));
const time = (date: Date): Buffer =>
  tlv(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = (value: number): readonly number[] =>
    value < 0x80 ? [value] : [...bytes(Math.floor(value / 0x80)).map((byte) => byte | 0x80), value & 0x7f];
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(bytes)]));
}

const extension = (id: string, value: Uint8Array, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [tlv(0x01, Buffer.from([0xff]))] : []), octets(value));
const ALGORITHM = sequence(oid('1.2.840.10045.4.3.2'));
const nameOf = (text: string): Buffer => sequence(tlv(0x31, sequence(oid('2.5.4.3'), utf8(text))));

interface CertificateParts {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly from: Date;
  readonly to: Date;
  readonly extensions: readonly Uint8Array[];
}

function tbs({subject, publicKey, from, to, extensions}: CertificateParts): Buffer {
  return sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([7])),
    ALGORITHM,
    nameOf('acme root'),
    sequence(time(from), time(to)),
    subject,
    publicKey,
    tlv(0xa3, sequence(...extensions)),
  );
}

function certificate(parts: CertificateParts, by: Pair): Buffer {
  const body = tbs(parts);
  return sequence(body, ALGORITHM, tlv(0x03, Buffer.from([0]), signWith(body, by)));
}

const ARC = '1.3.6.1.4.1.57264.1.';

function leaf(publicKey: Uint8Array, {repository, workflow, ref, commit, issuer}: Build, from: Date): CertificateParts {
  const place = `${repository}/${workflow}@${ref}`;
  const claims: readonly (readonly [number, string])[] = [
    [8, issuer],
    [11, 'github-hosted'],
    [12, repository],
    [13, commit],
    [14, ref],
    [18, place],
  ];
  const extensions = [
    extension('2.5.29.15', tlv(0x03, Buffer.from([7, 0x80])), true),
    extension('2.5.29.17', sequence(tlv(0x86, Buffer.from(place))), true),
    ...claims.map(([number, text]) => extension(`${ARC}${number}`, utf8(text))),
  ];
  return {subject: sequence(), publicKey, from, to: new Date(from.getTime() + 600_000), extensions};
}

const uint = (value: number, bytes: number): Buffer => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');

/** The certificate with the note of a log that it was seen there. */
function logged(parts: CertificateParts, authority: Pair, log: Pair): Buffer {
  const at = uint(parts.from.getTime(), 8);
  const body = tbs(parts);
  const signature = signWith(
    Buffer.concat([Buffer.from([0, 0]), at, uint(1, 2), authority.id, uint(body.length, 3), body, uint(0, 2)]),
    log,
  );
  const note = Buffer.concat([
    Buffer.from([0]),
    log.id,
    at,
    uint(0, 2),
    Buffer.from([4, 3]),
    uint(signature.length, 2),
    signature,
  ]);
  const list = octets(uint(note.length + 2, 2), uint(note.length, 2), note);
  return certificate(
    {...parts, extensions: [...parts.extensions, extension('1.3.6.1.4.1.11129.2.4.2', list)]},
    authority,
  );
}

function statementOf(
  {name, version, archive}: AttestedPackage,
  build: Build,
  {form = 'v1', predicateType, subject}: AttestOptions,
): object {
  const {repository, workflow, ref, commit} = build;
  const uri = `git+${repository}@${ref}`;
  const first = {
    buildDefinition: {
      externalParameters: {workflow: {ref, repository, path: workflow}},
      resolvedDependencies: [{uri, digest: {gitCommit: commit}}],
    },
    runDetails: {builder: {id: 'https://github.com/actions/runner/github-hosted'}},
  };
  const early = {
    builder: {id: 'https://github.com/actions/runner'},
    invocation: {configSource: {uri, digest: {sha1: commit}, entryPoint: `${workflow}@${ref}`}},
    materials: [{uri, digest: {sha1: commit}}],
  };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subject ?? [
      {
        name: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        digest: {sha512: createHash('sha512').update(archive).digest('hex')},
      },
    ],
    predicateType: predicateType ?? `https://slsa.dev/provenance/${form}`,
    predicate: predicateType ? {} : form === 'v1' ? first : early,
  };
}

/** What the log of signatures says of one of them: that it is there, and when it came. */
function logEntry(body: string, at: Date, log: Pair): object {
  const canonicalizedBody = Buffer.from(body).toString('base64');
  const integratedTime = Math.floor(at.getTime() / 1000);
  const promise = signWith(
    JSON.stringify({body: canonicalizedBody, integratedTime, logID: log.id.toString('hex'), logIndex: 1}),
    log,
  );
  const rootHash = sha256(Buffer.from([0]), body).toString('base64');
  const note = `log.example\n1\n${rootHash}\n`;
  const envelope =
    `${note}\n\u2014 log.example ` +
    `${Buffer.concat([log.id.subarray(0, 4), signWith(note, log)]).toString('base64')}\n`;
  return {
    logIndex: '1',
    logId: {keyId: log.id.toString('base64')},
    kindVersion: {kind: 'dsse', version: '0.0.1'},
    integratedTime: String(integratedTime),
    inclusionPromise: {signedEntryTimestamp: promise.toString('base64')},
    inclusionProof: {logIndex: '0', rootHash, treeSize: '1', hashes: [], checkpoint: {envelope}},
    canonicalizedBody,
  };
}

/** A Sigstore made for a test; two of them know nothing of each other. */
export function makeAuthority(): Authority {
  const [authority, log, signatures] = [makePair(), makePair(), makePair()];
  const [from, to] = [new Date('2020-01-01T00:00:00Z'), new Date('2040-01-01T00:00:00Z')];
  const constraints = extension('2.5.29.19', sequence(tlv(0x01, Buffer.from([0xff]))), true);
  const root = certificate(
    {subject: nameOf('acme root'), publicKey: authority.publicKey, from, to, extensions: [constraints]},
    authority,
  );
  const asLog = ({publicKey, id}: Pair): object => ({
    baseUrl: 'https://log.example',
    hashAlgorithm: 'SHA2_256',
    logId: {keyId: id.toString('base64')},
    publicKey: {
      rawBytes: publicKey.toString('base64'),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor: {start: from.toISOString()},
    },
  });
  return {
    trustRoot: {
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [asLog(signatures)],
      ctlogs: [asLog(log)],
      timestampAuthorities: [],
      certificateAuthorities: [
        {
          subject: {organization: 'acme', commonName: 'acme root'},
          uri: 'https://authority.example',
          certChain: {certificates: [{rawBytes: root.toString('base64')}]},
          validFor: {start: from.toISOString()},
        },
      ],
    },
    attest(subject, options = {}) {
      const {
        at = new Date('2026-01-01T00:01:00Z'),
        certified = new Date('2026-01-01T00:00:00Z'),
        tamper = (text: string) => text,
      } = options;
      const build = {...helloBuild, ...options.build};
      const own = makePair();
      const rawBytes = logged(leaf(own.publicKey, build, certified), authority, log);
      const payload = JSON.stringify(statementOf(subject, {...build, ...options.said}, options));
      const payloadType = 'application/vnd.in-toto+json';
      const sig = signWith(
        `DSSEv1 ${payloadType.length} ${payloadType} ${Buffer.byteLength(payload)} ${payload}`,
        own,
      ).toString('base64');
      const verifier = Buffer.from(
        `-----BEGIN CERTIFICATE-----\n${rawBytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
      ).toString('base64');
      const body = JSON.stringify({
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          envelopeHash: {algorithm: 'sha256', value: ''},
          payloadHash: {algorithm: 'sha256', value: sha256(payload).toString('hex')},
          signatures: [{signature: sig, verifier}],
        },
      });
      return {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: {
          certificate: {rawBytes: rawBytes.toString('base64')},
          tlogEntries: [logEntry(body, at, signatures)],
        },
        dsseEnvelope: {
          payload: Buffer.from(tamper(payload)).toString('base64'),
          payloadType,
          signatures: [{sig, keyid: ''}],
        },
      };
    },
  };
}
