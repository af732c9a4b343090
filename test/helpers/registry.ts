import {createHash} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {gzipSync} from 'node:zlib';
import type {Manifest} from '@gemini-kernel/kernel/host';

/** One entry of an archive, exactly as written, even if it harms the program that unpacks it. */
export interface TarEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a folder. */
  readonly type?: string;
  readonly link?: string;
  readonly mode?: number;
  /** Said in the header, instead of the true one. */
  readonly size?: number;
}

/** The bytes of an archive with these entries, written by hand. */
export function packTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({path, content = '', type = '0', link = '', mode = 0o644, size}) => {
    const body = Buffer.from(content);
    const header = Buffer.alloc(512);
    const put = (text: string, at: number): number => header.write(text, at, 'utf8');
    put(path, 0);
    put(`${mode.toString(8).padStart(7, '0')}\0`, 100);
    put('0000000\0', 108);
    put('0000000\0', 116);
    put(`${(size ?? body.length).toString(8).padStart(11, '0')}\0`, 124);
    put('00000000000\0', 136);
    put('        ', 148);
    put(type, 156);
    put(link, 157);
    put('ustar\0', 257);
    put('00', 263);
    put(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), {level: 1});
}

export interface PackageParts {
  readonly name: string;
  readonly version: string;
  /** More of package.json. */
  readonly pack?: Readonly<Record<string, unknown>>;
  /** More of gemini.plugin.json; null for a package that is no plugin. */
  readonly manifest?: Partial<Manifest> | null;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** The files of a plugin that needs nothing and has one tool. */
export function pluginFiles({
  name,
  version,
  pack = {},
  manifest = {},
  files = {},
}: PackageParts): Readonly<Record<string, string | Uint8Array>> {
  const tool = `${name.replaceAll(/[^a-z0-9]/g, '_').replace(/^_/, '')}_echo`;
  const own: Manifest = {
    manifestVersion: 1,
    name,
    version,
    description: 'Made for a test.',
    kernel: '^0.2.0',
    requires: {services: {}},
    tools: [
      {
        name: tool,
        description: 'Echoes.',
        effect: 'think',
        annotations: {},
        input: {type: 'object'},
        module: './dist/tools/echo.js',
      },
    ],
    services: [],
    hooks: [],
    listeners: [],
    commands: [],
    flags: [],
    errors: {},
    ...manifest,
  };
  const code =
    `import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({name: '${tool}', description: ` +
    `'Echoes.', effect: 'think', input: {type: 'object'}, run() { return {model: '${name} ${version}'}; }});\n`;
  return {
    'package.json': JSON.stringify({name, version, type: 'module', ...pack}),
    ...(manifest === null
      ? {}
      : {
          'gemini.plugin.json': JSON.stringify(own),
          'oclif.manifest.json': JSON.stringify({version, commands: {}}),
          'dist/tools/echo.js': code,
        }),
    ...files,
  };
}

/** The archive of a package, as npm pack would make it. */
export function packPackage(parts: PackageParts): Buffer {
  return packTar(Object.entries(pluginFiles(parts)).map(([path, content]) => ({path: `package/${path}`, content})));
}

/** What is answered to who asks for attestations, and where else than usual the registry says that they are. */
export interface Attestations {
  readonly answer: string | Uint8Array;
  readonly url?: string;
}

/** What a registry does instead of answering well. */
export type RegistryFault = 'hang' | 'cut' | 'swap' | 'lie' | 401 | 403 | 404 | 500;

export interface Registry {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
  /** Makes a version available; `archive` instead of what the parts would be packed as. */
  publish(
    parts: PackageParts,
    options?: {
      readonly archive?: Buffer;
      readonly at?: Date;
      readonly tag?: string;
      readonly attestations?: Attestations;
    },
  ): void;
  /** Misbehaves for addresses that the pattern matches, until told otherwise. */
  misbehave(pattern: RegExp, fault: RegistryFault | undefined): void;
  /** Asks for this token from now on. */
  protect(token: string): void;
  /** Called when an address is asked for, before it is answered. */
  onRequest(listener: (path: string) => void): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Published {
  readonly archive: Buffer;
  readonly pack: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly attestations?: Attestations;
}

/** A registry of packages on loopback: what npm and its libraries ask for, and nothing more. */
export async function serveRegistry(): Promise<Registry> {
  const packages = new Map<string, {versions: Map<string, Published>; tags: Record<string, string>}>();
  const state: {token?: string; faults: [RegExp, RegistryFault][]; listeners: ((path: string) => void)[]} = {
    faults: [],
    listeners: [],
  };
  const requests: string[] = [];
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    for (const listener of state.listeners) listener(path);
    const fault = state.faults.find(([pattern]) => pattern.test(path))?.[1];
    if (fault === 'hang') return;
    if (typeof fault === 'number')
      return void response.writeHead(fault, {'content-type': 'application/json'}).end('{"error":"as told"}');
    if (state.token !== undefined && request.headers.authorization !== `Bearer ${state.token}`)
      return void response.writeHead(401, {'content-type': 'application/json'}).end('{"error":"who are you"}');
    const at = new URL(request.url ?? '', url);
    if (at.pathname === '/-/v1/search')
      return void response.writeHead(200, {'content-type': 'application/json'}).end(search(at.searchParams));
    const attested = /^\/-\/npm\/v1\/attestations\/(.+)@([^@]+)$/.exec(path);
    const proof = attested && packages.get(attested[1] ?? '')?.versions.get(attested[2] ?? '')?.attestations;
    if (proof) return void response.writeHead(200, {'content-type': 'application/json'}).end(proof.answer);
    const [, single = '', only = ''] = /^\/((?:@[^/]+\/)?[^/]+)\/([^/]+)$/.exec(path) ?? [];
    const versions = packages.has(single) && packages.get(single)?.versions.has(only) && packages.get(single);
    if (versions)
      return void response
        .writeHead(200, {'content-type': 'application/json'})
        .end(JSON.stringify(describe(single, versions, fault).versions[only]));
    const [, name = '', version] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const found = packages.get(name);
    const archive = version === undefined ? undefined : found?.versions.get(version)?.archive;
    if (!found || (version !== undefined && !archive))
      return void response.writeHead(404, {'content-type': 'application/json'}).end('{"error":"not found"}');
    if (!archive)
      return void response
        .writeHead(200, {'content-type': 'application/json'})
        .end(JSON.stringify(describe(name, found, fault)));
    if (fault === 'cut') {
      response.writeHead(200, {'content-length': archive.length});
      return void response.write(archive.subarray(0, archive.length / 2), () => response.destroy());
    }
    response
      .writeHead(200, {'content-type': 'application/octet-stream'})
      .end(fault === 'swap' ? packPackage({name, version: version ?? '', files: {'evil.js': 'evil'}}) : archive);
  }

  /** As the public registry answers: every word in name, description or keywords, and what `key:value` asks for. */
  function search(parameters: URLSearchParams): string {
    const words = (parameters.get('text') ?? '').split(/\s+/).filter((word) => word !== '');
    const objects = [...packages].flatMap(([name, {versions, tags}]) => {
      const latest = tags['latest'] ?? '';
      const {pack = {}, at} = versions.get(latest) ?? {};
      const keywords = (pack['keywords'] ?? []) as readonly string[];
      const text = [name, pack['description'], ...keywords].join(' ').toLowerCase();
      const fits = words.every((word) => {
        const [, key, value = ''] = /^(keywords|scope):(.*)$/.exec(word) ?? [];
        if (key === 'scope') return name.startsWith(`@${value}/`);
        return key === 'keywords' ? keywords.includes(value) : text.includes(word.toLowerCase());
      });
      const date = at?.toISOString();
      return fits ? [{package: {...pack, name, version: latest, date, publisher: {username: 'ann'}}}] : [];
    });
    return JSON.stringify({objects: objects.slice(0, Number(parameters.get('size') ?? 20)), total: objects.length});
  }

  function describe(
    name: string,
    {versions, tags}: {versions: Map<string, Published>; tags: Record<string, string>},
    fault: RegistryFault | undefined,
  ): Readonly<Record<string, unknown>> & {readonly versions: Readonly<Record<string, unknown>>} {
    const entries = [...versions].map(([version, {archive, pack, attestations}]) => {
      const proof = attestations
        ? {
            attestations: {
              url: attestations.url ?? `${url}-/npm/v1/attestations/${name.replace('/', '%2f')}@${version}`,
            },
          }
        : {};
      const integrity = `sha512-${createHash('sha512')
        .update(fault === 'lie' ? 'other' : archive)
        .digest('base64')}`;
      return [
        version,
        {
          ...pack,
          name,
          version,
          dist: {
            integrity,
            shasum: createHash('sha1').update(archive).digest('hex'),
            tarball: `${url}${name}/-/${version}.tgz`,
            ...proof,
          },
        },
      ];
    });
    return {
      name,
      'dist-tags': tags,
      versions: Object.fromEntries(entries),
      time: Object.fromEntries([...versions].map(([version, {at}]) => [version, at.toISOString()])),
    };
  }

  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url,
    requests,
    close,
    publish(
      parts,
      {archive = packPackage(parts), at = new Date('2026-01-01T00:00:00Z'), tag = 'latest', attestations} = {},
    ) {
      const entry = packages.get(parts.name) ?? {versions: new Map<string, Published>(), tags: {}};
      entry.versions.set(parts.version, {archive, pack: parts.pack ?? {}, at, ...(attestations ? {attestations} : {})});
      entry.tags[tag] = parts.version;
      packages.set(parts.name, entry);
    },
    misbehave(pattern, fault) {
      state.faults = state.faults.filter(([known]) => known.source !== pattern.source);
      if (fault !== undefined) state.faults.push([pattern, fault]);
    },
    protect: (token) => void (state.token = token),
    onRequest: (listener) => void state.listeners.push(listener),
    [Symbol.asyncDispose]: close,
  };
}
