import type {AuditedDependency, AuditedPlugin} from './audit-plugins.js';

interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly {readonly alg: string; readonly content: string}[];
  readonly licenses?: readonly {readonly license: {readonly name: string}}[];
  readonly externalReferences?: readonly {readonly type: 'vcs'; readonly url: string}[];
  readonly pedigree?: {readonly commits: readonly {readonly uid: string}[]};
  readonly properties?: readonly {readonly name: string; readonly value: string}[];
}

/** A list of components in CycloneDX 1.5 form. */
export interface CycloneDx {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.5';
  readonly version: 1;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: {readonly type: 'application'; readonly name: string; readonly version: string};
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly {readonly ref: string; readonly dependsOn: readonly string[]}[];
}

/** Converts an audit to the form that other tools read. */
export function toCycloneDx(
  plugins: readonly AuditedPlugin[],
  {version, now}: {readonly version: string; readonly now: Date},
): CycloneDx {
  const components = plugins.flatMap((plugin) => [
    {...componentOf(plugin, refOf(plugin), propertiesOf(plugin)), ...originOf(plugin)},
    ...plugin.dependencies.map((dependency) => componentOf(dependency, `${refOf(plugin)}/${dependency.place}`)),
  ]);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {timestamp: now.toISOString(), component: {type: 'application', name: 'gemini', version}},
    components,
    dependencies: plugins.map((plugin) => ({
      ref: refOf(plugin),
      dependsOn: plugin.dependencies.map(({place}) => `${refOf(plugin)}/${place}`),
    })),
  };
}

function refOf({scope, name, version}: AuditedPlugin): string {
  return `${scope}/${name}@${version}`;
}

function componentOf(
  {name, version, integrity, license}: AuditedPlugin | AuditedDependency,
  ref: string,
  properties?: Component['properties'],
): Component {
  const hashes = hashesOf(integrity);
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(hashes.length > 0 ? {hashes} : {}),
    ...(license ? {licenses: [{license: {name: license}}]} : {}),
    ...(properties ? {properties} : {}),
  };
}

/** The proven place of build. */
function originOf({provenance}: AuditedPlugin): Pick<Component, 'externalReferences' | 'pedigree'> {
  if (!provenance) return {};
  const {repository, commit} = provenance;
  return {
    externalReferences: [{type: 'vcs', url: repository}],
    ...(commit ? {pedigree: {commits: [{uid: commit}]}} : {}),
  };
}

function propertiesOf({
  capabilities,
  signer,
  provenance,
  approved,
  from,
  tree,
}: AuditedPlugin): NonNullable<Component['properties']> {
  const all: readonly (readonly [string, string | undefined])[] = [
    ['gemini:from', from],
    ['gemini:capabilities', capabilities.declared.join(' ')],
    ['gemini:signer', signer],
    ['gemini:tree', tree],
    ['gemini:provenance:repository', provenance?.repository],
    ['gemini:provenance:workflow', provenance?.workflow],
    ['gemini:provenance:ref', provenance?.ref],
    ['gemini:provenance:commit', provenance?.commit],
    ['gemini:provenance:issuer', provenance?.issuer],
    ['gemini:approved:at', approved?.at],
    ['gemini:approved:by', approved?.by],
  ];
  return all.flatMap(([name, value]) => (value ? [{name, value}] : []));
}

function hashesOf(integrity: string | undefined): NonNullable<Component['hashes']> {
  const names: Readonly<Record<string, string>> = {
    sha1: 'SHA-1',
    sha256: 'SHA-256',
    sha384: 'SHA-384',
    sha512: 'SHA-512',
  };
  return (integrity ?? '').split(/\s+/).flatMap((one) => {
    const [, algorithm = '', digest = ''] = /^(\w+)-(.+)$/.exec(one) ?? [];
    return names[algorithm] ? [{alg: names[algorithm], content: Buffer.from(digest, 'base64').toString('hex')}] : [];
  });
}
