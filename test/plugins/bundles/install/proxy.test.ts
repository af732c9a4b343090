import {once} from 'node:events';
import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from '@jest/globals';
import {makeInstallScene} from './scene.js';

/** A proxy that hands every request to one server, whatever host it names. */
async function startProxy(target: string) {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const {host, pathname, search} = new URL(incoming.url ?? '', target);
    asked.push(host);
    const onward = request(
      new URL(`${pathname}${search}`, target),
      {method: incoming.method, headers: incoming.headers},
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, [Symbol.asyncDispose]: close};
}

test.each(['HTTP_PROXY', 'http_proxy'])(
  'a registry that only the proxy in %s reaches is reached [install.proxy]',
  async (variable) => {
    await using scene = await makeInstallScene();
    scene.registry.publish({name: '@acme/hello', version: '1.0.0'});
    await using proxy = await startProxy(scene.registry.url);
    const variables = {npm_config_registry: 'http://registry.invalid/', [variable]: proxy.url};
    const {code, stderr} = await scene.geminiWith({variables}, 'plugins', 'install', '@acme/hello', '--yes');
    expect({code, stderr}).toEqual({code: 0, stderr: expect.any(String)});
    expect(proxy.asked).toContain('registry.invalid');
    expect(await scene.installed()).toEqual({'@acme/hello': '1.0.0'});
  },
);

test('a proxy that no_proxy leaves out is not asked [install.proxy]', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: '@acme/hello', version: '1.0.0'});
  await using proxy = await startProxy(scene.registry.url);
  const {code} = await scene.geminiWith(
    {variables: {HTTP_PROXY: proxy.url, no_proxy: '127.0.0.1'}},
    'plugins',
    'install',
    '@acme/hello',
    '--yes',
  );
  expect([code, proxy.asked]).toEqual([0, []]);
});
