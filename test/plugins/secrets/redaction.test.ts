import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {createRedaction} from '#plugins/secrets/dist/redaction.js';

const plugins = ['settings', 'workspace', 'filesystem', 'secrets'].map(pluginRoot);
const media = {inlineData: {mimeType: 'image/png', data: 'AAAA'}};

function openKernel(variables: Record<string, string>, options: Partial<TestKernelOptions> = {}): Promise<TestKernel> {
  return createTestKernel({
    plugins,
    confirm: 'yes',
    variables,
    ...options,
  });
}

describe('texts', () => {
  test.each<[string, string, string, string]>([
    ['a value', 'tok-12345678', 'a tok-12345678 b', 'a [redacted: MY_TOKEN] b'],
    ['a value as JSON holds it', 'quo"te\\12345', 'v = "quo\\"te\\\\12345"', 'v = "[redacted: MY_TOKEN]"'],
    ['a value as a URL holds it', 'pa ss/word+1', '?p=pa%20ss%2Fword%2B1', '?p=[redacted: MY_TOKEN]'],
    [
      'a line of a value of many',
      'first-line-of-the-key-0001\nsecond-line-of-the-key-02',
      '+second-line-of-the-key-02',
      '+[redacted: MY_TOKEN]',
    ],
    ['the password in a URL', 'https://me:s3cr3t-pass@host/x', 'pass is s3cr3t-pass', 'pass is [redacted: MY_TOKEN]'],
    ['nothing else', 'tok-12345678', 'tok-1234567', 'tok-1234567'],
    ['no short value', 'abc1234', 'abc1234', 'abc1234'],
    ['no common word', 'postgres', 'postgres is up', 'postgres is up'],
    ['no host name', 'registry.example.com', 'https://registry.example.com/', 'https://registry.example.com/'],
    ['no path', '/home/me/keys/id_rsa_9', 'cat /home/me/keys/id_rsa_9', 'cat /home/me/keys/id_rsa_9'],
    ['no plain URL', 'https://example.com/login', 'see https://example.com/login', 'see https://example.com/login'],
  ])('lose %s', async (_, value, text, expected) => {
    await using kernel = await openKernel({MY_TOKEN: value});
    const {text: clean, count} = await (await kernel.service('secrets')).redact(text);
    expect({clean, count}).toEqual({clean: expected, count: text === expected ? 0 : 1});
  });

  test('without a reader lose what has the form of a secret, too [secrets.scrubbed]', async () => {
    await using kernel = await openKernel({MY_TOKEN: 'tok-12345678'});
    const secrets = await kernel.service('secrets');
    const key = ['-----BEGIN PRIVATE', 'KEY-----\nAAAA\nBBBB\n-----END PRIVATE', 'KEY-----'].join(' ');
    const github = ['ghp', 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6'].join('_');
    const given =
      `a tok-12345678 ${key} ${github}-more https://me:pw-1234567@host/x ` + '{"password": "abc123def"} token: words';
    const {text, count} = await secrets.scrub(given);
    expect(text).toBe(
      'a [redacted: MY_TOKEN] [redacted] [redacted] https://me:[redacted]@host/x ' +
        '{"password": "[redacted]"} token: words',
    );
    expect(count).toBe(5);
    expect(await secrets.scrub(text)).toEqual({text, count: 0});
    expect(await secrets.suspects(text)).toBe(false);
  });

  test('keep a proxy whole for commands, and lose its password', async () => {
    const proxy = ['http://me:', 'pr0xy-passw0rd', '@proxy:8080'].join('');
    await using kernel = await openKernel({HTTPS_PROXY: proxy});
    const secrets = await kernel.service('secrets');
    expect(await secrets.environment()).toEqual({variables: {HTTPS_PROXY: proxy}, withheld: []});
    expect(await secrets.redact(proxy)).toEqual({text: 'http://me:[redacted: HTTPS_PROXY]@proxy:8080', count: 1});
  });
});

describe('pieces', () => {
  const needle = fc.string({unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6});
  const needles = fc.uniqueArray(needle, {minLength: 0, maxLength: 5});
  const pieces = fc.array(fc.string({unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 12}), {maxLength: 8});

  test('come out as the whole text would, wherever they are cut', () => {
    fc.assert(
      fc.property(needles, pieces, (texts, parts) => {
        const {redact, redactor} = createRedaction(texts.map((text) => ({text, name: text.toUpperCase()})));
        const stream = redactor();
        const out = parts.map((part) => stream.push(part)).join('') + stream.end();
        expect(out).toBe(redact(parts.join('')).text);
      }),
      {numRuns: 1000},
    );
  });

  test('hold back no more than could be the beginning of a secret', () => {
    fc.assert(
      fc.property(needles, pieces, (texts, parts) => {
        // One within another would come out of the end as redacted.
        fc.pre(!texts.some((a) => texts.some((b) => a !== b && b.includes(a))));
        const stream = createRedaction(texts.map((text) => ({text, name: 'N'}))).redactor();
        for (const part of parts) stream.push(part);
        const held = stream.end();
        expect(held === '' || texts.some((text) => text.startsWith(held) && text !== held)).toBe(true);
        expect(held.length).toBeLessThanOrEqual(stream.reach);
      }),
    );
  });
});

describe('results of tools', () => {
  test('come without the values of secret variables, whichever tool gives them', async () => {
    await using kernel = await openKernel({MY_TOKEN: 'tok-12345678'}, {files: {'.env': 'TOKEN=tok-12345678\n'}});
    const outcome = await kernel.call('read_file', {file_path: '.env'});
    expect(outcome).toMatchObject({status: 'done', result: {model: 'TOKEN=[redacted: MY_TOKEN]\n'}});
  });

  test('stay the very same when there is nothing to hide', async () => {
    await using kernel = await openKernel(
      {MY_TOKEN: 'tok-12345678'},
      {files: {'a.txt': 'hello\n', 'b.png': Buffer.from('89504e470d0a1a0a', 'hex')}},
    );
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({
      status: 'done',
      result: {model: 'hello\n'},
    });
    expect(await kernel.call('read_file', {file_path: 'b.png'})).toMatchObject({
      status: 'done',
      result: {model: [{inlineData: {mimeType: 'image/png'}}]},
    });
  });

  test('lose secrets in every text part and in what people are shown', async () => {
    await using folder = await makeFolder();
    const spec = {
      name: 'leak',
      description: 'Leaks.',
      effect: 'other',
      annotations: {},
      input: {type: 'object'},
    } as const;
    const leaks = await makePlugin(folder.path, {
      name: 'leaks',
      tools: [{...spec, module: './leak.js'}],
      files: {
        'leak.js':
          "import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({" +
          `...${JSON.stringify(spec)}, touches: async () => [], run: async () => (${JSON.stringify({
            model: [{text: 'a tok-12345678'}, media],
            display: 'tok-12345678!',
            data: {kept: 1},
          })})});\n`,
      },
    });
    await using kernel = await openKernel({MY_TOKEN: 'tok-12345678'}, {plugins: [...plugins, leaks]});
    expect(await kernel.call('leak', {})).toMatchObject({
      status: 'done',
      result: {
        model: [{text: 'a [redacted: MY_TOKEN]'}, media],
        display: '[redacted: MY_TOKEN]!',
        data: {kept: 1},
      },
    });
  });
});

describe('many secrets', () => {
  const letters = fc.string({unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 9});
  const many = fc.uniqueArray(letters, {minLength: 70, maxLength: 120});

  /** The first place counts, then the longest text, as of a few. */
  function redactPlainly(text: string, texts: readonly string[]): string {
    const longestFirst = [...texts].sort((a, b) => b.length - a.length);
    let clean = '';
    for (let at = 0; at < text.length;) {
      const found = longestFirst.find((one) => text.startsWith(one, at));
      clean += found === undefined ? text.charAt(at) : `[redacted: ${found.toUpperCase()}]`;
      at += found?.length ?? 1;
    }
    return clean;
  }

  test('are found as a few are, whole and in pieces [env.many]', () => {
    const parts = fc.array(fc.string({unit: fc.constantFrom('a', 'b', '-'), maxLength: 40}), {maxLength: 6});
    fc.assert(
      fc.property(many, parts, (texts, pieces) => {
        const redaction = createRedaction(texts.map((text) => ({text, name: text.toUpperCase()})));
        const expected = redactPlainly(pieces.join(''), texts);
        const stream = redaction.redactor();
        expect(redaction.redact(pieces.join('')).text).toBe(expected);
        expect(pieces.map((piece) => stream.push(piece)).join('') + stream.end()).toBe(expected);
      }),
      {numRuns: 300},
    );
  });

  test('take no longer to look for than some [env.many]', () => {
    const text = 'nothing to hide in this line of a text\n'.repeat(500);
    const timeOf = (count: number): number => {
      const redaction = createRedaction(
        Array.from({length: count}, (_, index) => ({text: `value-${index}-of-it`, name: 'N'})),
      );
      const stream = redaction.redactor();
      const times = [1, 2, 3].map(() => {
        const began = performance.now();
        redaction.redact(text);
        stream.push(text);
        return performance.now() - began;
      });
      return Math.min(...times);
    };
    timeOf(100);
    // 200 times as many.
    expect(timeOf(20_000)).toBeLessThan(timeOf(100) * 20 + 5);
  });
});
