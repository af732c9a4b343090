import {createHash} from 'node:crypto';
import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from '@jest/globals';
import type {ManagedRules} from '@gemini-kernel/admission';
import {packPackage} from '../../../helpers/registry.js';
import {installerUnder, makeInstallScene, yes, type InstallScene} from '../install/scene.js';
import {installPlugin} from '#plugins/bundles/dist/install/install-plugin.js';
import {parseSpec} from '#plugins/bundles/dist/install/source/parse-spec.js';

interface Server {
  readonly host: string;
  readonly url: string;
  readonly requests: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

async function serve(answer: RequestListener): Promise<Server> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/p.tgz`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const archive = packPackage({name: 'words', version: '1.0.0'});
const serveArchive = (): Promise<Server> => serve((_, response) => void response.end(archive));
const sendOn = (url: () => string): Promise<Server> =>
  serve((_, response) => void response.writeHead(302, {location: url()}).end());

async function install(scene: InstallScene, rules: Partial<ManagedRules> | undefined, spec: string): Promise<string> {
  return (
    await installPlugin(await installerUnder(scene, rules), {
      wanted: parseSpec(spec, scene.project),
      consent: yes,
      force: false,
    })
  ).name;
}

test('where a server sends on to is judged before it is asked', async () => {
  await using scene = await makeInstallScene();
  await using end = await serveArchive();
  await using way = await sendOn(() => end.url);
  expect(await install(scene, undefined, way.url)).toBe('words');
  const asked = end.requests.length;
  const blocked = {sources: {blocked: [{type: '*' as const, host: end.host}]}};
  await expect(install(scene, blocked, way.url)).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: `The archive may not be installed: the administrator blocks its source, the tarball ${end.url}.`,
  });
  const allowed = {sources: {allowed: [{type: 'tarball' as const, host: way.host}]}};
  await expect(install(scene, allowed, way.url)).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
    message: expect.stringContaining('is not one that the administrator allows'),
  });
  expect(end.requests.length).toBe(asked);
});

test('redirects have a limit, and lead only to servers of archives', async () => {
  await using scene = await makeInstallScene();
  await using circle: Server = await sendOn(() => '/p.tgz');
  await expect(install(scene, undefined, circle.url)).rejects.toMatchObject({
    code: 'INSTALL_UNREACHABLE',
    message: expect.stringContaining('it redirects more than 5 times'),
  });
  expect(circle.requests).toHaveLength(6);
  await using file = await sendOn(() => 'file:///etc/passwd');
  await expect(install(scene, undefined, file.url)).rejects.toMatchObject({
    code: 'INSTALL_UNREACHABLE',
    message: expect.stringContaining('which is not allowed'),
  });
});

test('a registry that names an archive on another host is judged by that host too', async () => {
  await using scene = await makeInstallScene();
  await using end = await serveArchive();
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  await using registry = await serve(
    (_, response) =>
      void response.end(
        JSON.stringify({
          name: 'words',
          'dist-tags': {latest: '1.0.0'},
          versions: {'1.0.0': {name: 'words', version: '1.0.0', dist: {integrity, tarball: end.url}}},
        }),
      ),
  );
  const under = async (sources: ManagedRules['sources']): Promise<string> => {
    const scenery = {...scene, variables: {...scene.variables, npm_config_registry: `http://${registry.host}/`}};
    return (
      await installPlugin(await installerUnder(scenery, {sources}), {
        wanted: parseSpec('words', scene.project),
        consent: yes,
        force: false,
      })
    ).name;
  };
  await expect(under({blocked: [{type: 'tarball', host: end.host}]})).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
  });
  await expect(under({allowed: [{type: 'registry', host: registry.host}]})).rejects.toMatchObject({
    code: 'INSTALL_FORBIDDEN',
  });
  expect(end.requests).toEqual([]);
  expect(
    await under({
      allowed: [
        {type: 'registry', host: registry.host},
        {type: 'tarball', host: end.host},
      ],
    }),
  ).toBe('words');
});
