import {describe, expect, test} from '@jest/globals';
import {isPublic} from '@gemini-kernel/files/addresses';
import {judgeHost} from '#plugins/web/dist/address/judge-host.js';
import {findUrls, readUrl} from '#plugins/web/dist/address/read-url.js';
import {startDnsServer} from './dns-server.js';

const nowhere = async (): Promise<never> => {
  throw new Error('no one may be asked');
};
const judge = (url: string, privateHosts: readonly string[] = []): Promise<unknown> =>
  judgeHost(readUrl(url), {resolve: nowhere, privateHosts});

/** Ways to write an address that is not on the public internet, and ranges that are not. */
const CLOSED = [
  ...['http://127.0.0.1/', 'http://127.1/', 'http://127.0.1/', 'http://2130706433/', 'http://0x7f000001/'],
  ...['http://0x7f.0.0.1/', 'http://0177.0.0.1/', 'http://0x7f.1/', 'http://017700000001/', 'http://127.255.255.254/'],
  ...['http://①②⑦.⓪.⓪.①/', 'http://127。0。0。1/', 'http://%31%32%37.0.0.1/', 'http://127.0.0.1./', 'http://0/'],
  ...['http://0.0.0.0/', 'http://0.1.2.3/', 'http://10.0.0.1/', 'http://10.255.255.255/', 'http://012.1.2.3/'],
  ...[
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://192.168.255.1/',
    'http://3232235521/',
  ],
  ...['http://169.254.169.254/latest/meta-data/', 'http://2852039166/', 'http://0xa9fea9fe/', 'http://169.254.1.1/'],
  ...[
    'http://100.64.0.1/',
    'http://100.127.255.255/',
    'http://100.100.100.200/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
  ],
  ...[
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.19.255.255/',
    'http://198.51.100.7/',
    'http://203.0.113.9/',
  ],
  ...[
    'http://168.63.129.16/',
    'http://224.0.0.1/',
    'http://239.255.255.255/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
  ],
  ...[
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
  ],
  ...[
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
  ],
  ...['http://[2001::1]/', 'http://[2001:db8::1]/', 'http://[2001:10::1]/', 'http://[3fff::1]/', 'http://[100::1]/'],
  ...['http://[fe80::1]/', 'http://[fec0::1]/', 'http://[fc00::1]/', 'http://[fd00:ec2::254]/', 'http://[ff02::1]/'],
  ...['http://localhost/', 'http://LOCALHOST/', 'http://localhost./', 'http://a.localhost/', 'http://ｌocalhost/'],
  ...[
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://router/',
    'http://a.internal./',
  ],
  ...['http://nas.lan/', 'http://nas.home.arpa/', 'http://wiki.corp/', 'http://x.intranet/', 'http://box.home/'],
  ...[
    'http://a.test/',
    'http://a.invalid/',
    'http://localhost.localdomain/',
    'https://127.0.0.1:8443/',
    'http://[::1]:80/',
  ],
];

describe('an address', () => {
  test.each(CLOSED)('%s is refused before a name is looked up [web.public-only]', async (url) => {
    await expect(judge(url)).rejects.toMatchObject({code: 'URL_PRIVATE'});
  });

  test('there are enough of them', () => expect(new Set(CLOSED).size).toBeGreaterThanOrEqual(80));

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => expect(isPublic(address)).toBe(true),
  );

  test.each(['', 'x', '1.2.3', 'fe80::1%eth0', '2606:4700::1%1'])('%j is not an address that is public', (text) =>
    expect(isPublic(text)).toBe(false),
  );

  test.each([
    ['ftp://example.com/', 'ftp is not http or https'],
    ['file:///etc/passwd', 'file is not http or https'],
    ['javascript:alert(1)', 'javascript is not http or https'],
    ['http://user:secret@example.com/', 'it contains a user name or a password'],
    ['http://', 'it is not an address'],
    ['example.com', 'it is not an address'],
    [`https://example.com/${'x'.repeat(2000)}`, 'it has 2020 characters'],
  ])('%s is not fetched [web.public-only]', (url, why) => {
    expect(() => readUrl(url)).toThrow(
      expect.objectContaining({code: 'URL_INVALID', message: expect.stringContaining(why)}),
    );
  });

  test('of a file that GitHub shows is that of the file', () => {
    expect(readUrl('https://github.com/a/b/blob/main/src/x.ts#L3').href).toBe(
      'https://raw.githubusercontent.com/a/b/main/src/x.ts',
    );
    expect(readUrl('https://github.com/a/b/tree/main').href).toBe('https://github.com/a/b/tree/main');
  });

  test('is found in a text without the punctuation around it', () => {
    const text =
      'See (https://a.example/x_(y)), "https://b.example/?q=1&r=2". and https://a.example/x_(y)! [c](http://c.example)';
    expect(findUrls(text)).toEqual(['https://a.example/x_(y)', 'https://b.example/?q=1&r=2', 'http://c.example']);
  });
});

describe('a name', () => {
  const rules = (
    server: {resolve: Parameters<typeof judgeHost>[1]['resolve']},
    privateHosts: readonly string[] = [],
  ) => ({
    resolve: server.resolve,
    privateHosts,
  });

  test.each([
    [['127.0.0.1'], '127.0.0.1'],
    [['93.184.216.34', '10.0.0.1'], '10.0.0.1'],
    [['169.254.169.254'], '169.254.169.254'],
    [['0.0.0.0'], '0.0.0.0'],
  ])('that a real server resolves to %j is refused [web.public-only]', async (addresses, bad) => {
    await using server = await startDnsServer([addresses]);
    await expect(judgeHost(readUrl('http://evil.example/'), rules(server))).rejects.toMatchObject({
      code: 'URL_PRIVATE',
      message: expect.stringContaining(`it resolves to ${bad}`),
    });
  });

  test('is resolved once: what is judged is what is connected to [web.no-rebinding]', async () => {
    await using server = await startDnsServer([['93.184.216.34'], ['127.0.0.1']]);
    expect(await judgeHost(readUrl('http://evil.example/'), rules(server))).toEqual([
      {address: '93.184.216.34', family: 4},
    ]);
    expect(server.asked).toEqual(['evil.example']);
  });

  test('without an address is named', async () => {
    await using server = await startDnsServer([[]]);
    await expect(judgeHost(readUrl('http://gone.example/'), rules(server))).rejects.toMatchObject({
      code: 'PAGE_UNREACHABLE',
    });
  });

  test.each([
    ['http://127.0.0.1:8080/', ['127.0.0.1:8080'], true],
    ['http://127.0.0.1:8081/', ['127.0.0.1:8080'], false],
    ['http://[::1]:8080/', ['::1'], true],
    ['http://wiki.corp/', ['WIKI.corp'], true],
    ['http://a.wiki.corp/', ['*.wiki.corp'], true],
    ['http://wiki.corp/', ['*.wiki.corp'], false],
    ['http://evilwiki.corp/', ['*.wiki.corp'], false],
    ['http://evil.corp/', ['wiki.corp'], false],
  ])('%s is open with %j: %j [web.public-only]', async (url, privateHosts, isOpen) => {
    await using server = await startDnsServer([['10.0.0.1']]);
    const judged = judgeHost(readUrl(url), rules(server, privateHosts));
    await (isOpen
      ? expect(judged).resolves.toHaveLength(1)
      : expect(judged).rejects.toMatchObject({code: 'URL_PRIVATE'}));
  });
});
