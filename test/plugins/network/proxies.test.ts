import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {createSender} from '#plugins/network/dist/dispatcher.js';

// Where Node's fetch looks for what sends its requests.
const GLOBAL = Symbol.for('undici.globalDispatcher.1');
const plugins = ['settings', 'trust', 'env', 'network'].map(pluginRoot);

async function withNetwork<T>(
  variables: Readonly<Record<string, string>>,
  act: (network: Network) => Promise<T>,
): Promise<T> {
  await using kernel = await createTestKernel({plugins, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', ...variables}});
  return await act(await kernel.service('network'));
}

const BOTH = {HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:2'};

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string | undefined>>]>([
  ['nothing set', {}, {'https://a.example': undefined, 'http://a.example': undefined}],
  [
    'each kind of address has its own',
    BOTH,
    {'https://a.example': 'http://secure:1', 'http://a.example': 'http://plain:2'},
  ],
  [
    'the plain one serves for both when it is alone',
    {http_proxy: 'http://plain:2'},
    {'https://a.example': 'http://plain:2', 'http://a.example': 'http://plain:2'},
  ],
  [
    'the secure one serves for secure addresses only',
    {https_proxy: 'http://secure:1'},
    {'https://a.example': 'http://secure:1', 'http://192.168.1.5:11434': undefined},
  ],
  [
    'capitals come first',
    {https_proxy: 'http://small:1', HTTPS_PROXY: 'http://big:1'},
    {'https://a.example': 'http://big:1'},
  ],
  [
    'a host without http:// is a proxy',
    {HTTPS_PROXY: ' proxy.corp:8080 '},
    {'https://a.example': 'http://proxy.corp:8080'},
  ],
  [
    'names and passwords are not shown',
    {HTTPS_PROXY: 'http://me:secret@proxy.corp:8080'},
    {'https://a.example': 'http://***@proxy.corp:8080'},
  ],
  [
    'this machine is reached without',
    BOTH,
    {
      'http://localhost:11434/v1': undefined,
      'http://127.0.0.1:1': undefined,
      'https://[::1]:1': undefined,
      'https://localhost.example': 'http://secure:1',
    },
  ],
  ['all hosts but none', {...BOTH, NO_PROXY: '*'}, {'https://a.example': undefined, 'http://10.0.0.1': undefined}],
  [
    'a host means those below it too',
    {...BOTH, NO_PROXY: 'corp.example, .other.example *.third.example'},
    {
      'https://corp.example': undefined,
      'https://api.corp.example': undefined,
      'https://mycorp.example': 'http://secure:1',
      'https://x.other.example': undefined,
      'https://y.third.example': undefined,
    },
  ],
  [
    'a port is meant exactly',
    {...BOTH, no_proxy: 'a.example:8443,b.example:443'},
    {
      'https://a.example:8443': undefined,
      'https://a.example': 'http://secure:1',
      'https://b.example': undefined,
      'http://b.example': 'http://plain:2',
    },
  ],
  [
    'addresses are meant exactly, capitals or not',
    {...BOTH, NO_PROXY: '10.0.0.1,[FE80::1],API.Example'},
    {
      'http://10.0.0.1:9': undefined,
      'http://110.0.0.1': 'http://plain:2',
      'https://[fe80::1]:1': undefined,
      'https://api.example': undefined,
    },
  ],
])('%s', async (_, variables, wanted) => {
  const found = await withNetwork(variables, async (network) =>
    Promise.all(Object.keys(wanted).map(async (url) => [url, await network.proxyFor(url)])),
  );
  expect(Object.fromEntries(found)).toEqual(wanted);
});

test.each([
  ['HTTPS_PROXY', 'http://me:secret@:99999', 'HTTPS_PROXY does not name a usable proxy: it is not an address.'],
  [
    'http_proxy',
    'socks5://me:secret@proxy',
    'http_proxy does not name a usable proxy: socks5 proxies are not supported.',
  ],
])('%s that is no proxy is named, without its password', async (variable, value, message) => {
  await withNetwork({[variable]: value}, async (network) => {
    const error = {
      code: 'PROXY_INVALID',
      message,
      hint: `Set ${variable} to an address such as http://proxy.example:8080, or unset it.`,
    };
    await expect(network.prepare()).rejects.toMatchObject(error);
    await expect(network.proxyFor('https://a.example')).rejects.toMatchObject(error);
  });
});

test('a fetch that cannot be made to use a proxy is not used without it', async () => {
  // The test runner has a global object of its own, which Node's fetch does not look at.
  await withNetwork({HTTPS_PROXY: 'http://proxy.corp:8080'}, async (network) => {
    await expect(network.prepare()).rejects.toMatchObject({
      code: 'PROXY_UNSUPPORTED',
      message: 'HTTPS_PROXY names a proxy, but this release of Node cannot use it.',
      hint: 'Use another release of Node, or unset HTTPS_PROXY.',
    });
  });
});

const coded = (message: string, code: string): Error => Object.assign(new Error(message), {code});

test.each<[string, unknown, Readonly<Record<string, string>>, object]>([
  [
    'an unknown name',
    new TypeError('fetch failed', {cause: coded('getaddrinfo ENOTFOUND a.example', 'ENOTFOUND')}),
    {},
    {
      message: 'The connection to a.example failed: getaddrinfo ENOTFOUND a.example.',
      hint: 'Check the network connection and the host name. Behind a proxy, set HTTPS_PROXY.',
    },
  ],
  [
    'several addresses that refuse',
    new TypeError('fetch failed', {
      cause: Object.assign(
        new AggregateError([
          coded('connect ECONNREFUSED ::1:1', 'ECONNREFUSED'),
          coded('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
        ]),
        {code: 'ECONNREFUSED'},
      ),
    }),
    {},
    {
      message: 'The connection to a.example failed: connect ECONNREFUSED ::1:1.',
      hint: 'Check that the server is running and the address is right.',
    },
  ],
  [
    'an untrusted certificate',
    new TypeError('fetch failed', {
      cause: coded('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'),
    }),
    {},
    {
      message:
        'The connection to a.example failed: self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN).',
      hint: 'If your organisation inspects connections, set NODE_EXTRA_CA_CERTS to its certificate file.',
      isFinal: true,
    },
  ],
  [
    'a certificate that is out of date',
    new TypeError('fetch failed', {cause: coded('certificate has expired', 'CERT_HAS_EXPIRED')}),
    {},
    {
      message: 'The connection to a.example failed: certificate has expired (CERT_HAS_EXPIRED).',
      hint: 'Check the clock of this machine. If it is right, the server needs a new certificate.',
      isFinal: true,
    },
  ],
  [
    'a certificate of another host',
    new TypeError('fetch failed', {cause: coded('Hostname/IP does not match', 'ERR_TLS_CERT_ALTNAME_INVALID')}),
    {},
    {
      message: 'The connection to a.example failed: Hostname/IP does not match (ERR_TLS_CERT_ALTNAME_INVALID).',
      hint: 'The certificate belongs to another host: check the address.',
      isFinal: true,
    },
  ],
  [
    'a proxy that is not there',
    new TypeError('fetch failed', {cause: coded('connect ECONNREFUSED 10.0.0.1:8080', 'ECONNREFUSED')}),
    {HTTPS_PROXY: 'http://u:p@10.0.0.1:8080'},
    {
      message:
        'The connection to a.example through the proxy http://***@10.0.0.1:8080 (HTTPS_PROXY) failed: connect ' +
        'ECONNREFUSED 10.0.0.1:8080.',
      hint: 'Check HTTPS_PROXY. Hosts in NO_PROXY bypass the proxy.',
    },
  ],
  [
    'something that is no error',
    'gone',
    {},
    {message: 'The connection to a.example failed: gone.', hint: 'Check the network connection and try again.'},
  ],
])('%s is explained', async (_, error, variables, wanted) => {
  expect(await withNetwork(variables, (network) => network.explain('https://a.example/v1', error))).toEqual(wanted);
});

test('a request may wait as long as its signal does, and what others send stays as it was', async () => {
  const holder = globalThis as {[GLOBAL]?: {dispatch(options: object, handler: object): boolean}};
  const seen: object[] = [];
  const before = {dispatch: (options: object): boolean => seen.push(options) > 0};
  holder[GLOBAL] = before;
  try {
    const {dispatcher, close} = await createSender({exceptions: []});
    dispatcher?.dispatch({origin: 'https://a.example', path: '/', method: 'GET', bodyTimeout: 300_000}, {});
    await close();
    expect([seen, holder[GLOBAL] === before]).toEqual([
      [{origin: 'https://a.example', path: '/', method: 'GET', headersTimeout: 0, bodyTimeout: 0}],
      true,
    ]);
  } finally {
    delete holder[GLOBAL];
  }
});
