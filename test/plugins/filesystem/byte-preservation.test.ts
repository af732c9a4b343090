import {chmod, chown, link, lstat, readFile, readlink, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {built, filesystemKernel, outcome} from './built.js';

const {codecOf, legacyCodec, markedCodec, utf8} =
  await built<typeof import('../../../plugins/filesystem/src/encoding.js')>('encoding');
const {planReplace} = await built<typeof import('../../../plugins/filesystem/src/replace/plan.js')>('replace/plan');

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf32 = (text: string): Buffer =>
  Buffer.from(Uint32Array.from([...`\uFEFF${text}`].map((one) => one.codePointAt(0) ?? 0)).buffer);

describe('an edit changes the bytes of its span and no other', () => {
  test.each([
    ['LF', Buffer.from('a\nb\nc\n'), ['b', 'x\ny'], Buffer.from('a\nx\ny\nc\n')],
    ['CRLF', Buffer.from('a\r\nb\r\nc\r\n'), ['a\nb', 'a\nx\ny'], Buffer.from('a\r\nx\r\ny\r\nc\r\n')],
    [
      'mixed line ends, each kept where the line stays',
      Buffer.from('a\r\nb\nc\r\nd\n'),
      ['a\nb\nc', 'a\nB\nc'],
      Buffer.from('a\r\nB\nc\r\nd\n'),
    ],
    [
      'mixed line ends, new lines as their neighbours',
      Buffer.from('a\r\nb\nc\r\nd\n'),
      ['d', 'd\ne'],
      Buffer.from('a\r\nb\nc\r\nd\r\ne\n'),
    ],
    ['a search with CRLF in an LF file', Buffer.from('a\nb\n'), ['a\r\nb', 'x\r\ny'], Buffer.from('x\ny\n')],
    ['lone carriage returns', Buffer.from('a\rb\nc\r'), ['b', 'x'], Buffer.from('a\rx\nc\r')],
    ['a UTF-8 mark', Buffer.from('\uFEFFa\nb\n'), ['a', 'x'], Buffer.from('\uFEFFx\nb\n')],
    ['no final line end', Buffer.from('a\nb'), ['b', 'x'], Buffer.from('a\nx')],
    ['NUL bytes', Buffer.from('a\0b\0c'), ['b', 'x'], Buffer.from('a\0x\0c')],
    ['UTF-16LE with a mark', utf16('a\r\nbü😀\r\n'), ['bü', 'x\ny😀'], utf16('a\r\nx\r\ny😀😀\r\n')],
    ['UTF-16BE with a mark', utf16('a\nb\n').swap16(), ['b', 'ü'], utf16('a\nü\n').swap16()],
    [
      'UTF-16LE with half a unit at the end',
      Buffer.concat([utf16('a b'), Buffer.from([7])]),
      ['a', 'x'],
      Buffer.concat([utf16('x b'), Buffer.from([7])]),
    ],
    ['UTF-32LE with a mark', utf32('a😀b\n'), ['b', '😀'], utf32('a😀😀\n')],
    ['UTF-32BE with a mark', utf32('a😀b\n').swap32(), ['b', 'c'], utf32('a😀c\n').swap32()],
    ['one half of a surrogate pair that changes', utf16('😀 x'), ['😀', '😁'], utf16('😁 x')],
    ['an empty replacement', Buffer.from('abc'), ['b', ''], Buffer.from('ac')],
  ] as const)('%s', async (_, content, [oldText, newText], expected) => {
    const codec = (await codecOf(content, async () => undefined)) ?? utf8;
    expect(
      Buffer.concat(
        planReplace({path: '/a', bytes: content, codec, oldText, newText, allowMultiple: false, mayQuote: true}).pieces,
      ),
    ).toEqual(expected);
  });

  test.each([
    [
      'windows-1252',
      Buffer.from('gr\xfcn \x81\x80\r\nx', 'latin1'),
      ['n', '\u00e9'],
      Buffer.from('gr\xfc\xe9 \x81\x80\r\nx', 'latin1'),
    ],
    ['shift_jis', Buffer.from('93fa967b0a8cea0a', 'hex'), ['語', '日'], Buffer.from('93fa967b0a93fa0a', 'hex')],
    ['gbk', Buffer.from('d6d0cec40d0a61', 'hex'), ['a', '文\n文'], Buffer.from('d6d0cec40d0acec40d0acec4', 'hex')],
  ] as const)('a declared legacy encoding: %s', async (name, content, [oldText, newText], expected) => {
    const codec = await legacyCodec(name);
    expect(
      Buffer.concat(
        planReplace({path: '/a', bytes: content, codec, oldText, newText, allowMultiple: false, mayQuote: true}).pieces,
      ),
    ).toEqual(expected);
  });

  test('whatever the content, the encoding and the strategy [files.bytes-kept]', () => {
    const marks = ['', 'efbbbf', 'fffe', 'feff', 'fffe0000', '0000feff'].map((mark) => Buffer.from(mark, 'hex'));
    const stretch = fc
      .array(fc.constantFrom('a', 'ü', '😀', ' ', '\t', '\0', '\n', '\r\n', '\r', 'word', '$&'), {maxLength: 12})
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...marks), stretch, stretch, stretch, (mark, before, after, fresh) => {
        const codec = markedCodec(Buffer.concat([mark, Buffer.from('xxxx')])) ?? utf8;
        // Nothing else has this text, and no line end is joined or parted at its edges.
        const [head, tail] = [codec.encode(`${before}|`), codec.encode(`|${after}`)];
        const content = Buffer.concat([mark, head, codec.encode('OLD\r\ntext'), tail]);
        const bytes = Buffer.concat(
          planReplace({
            path: '/a',
            bytes: content,
            codec,
            oldText: 'OLD\ntext',
            newText: fresh,
            allowMultiple: false,
            mayQuote: true,
          }).pieces,
        );
        expect(bytes.subarray(0, mark.length + head.length)).toEqual(Buffer.concat([mark, head]));
        expect(bytes.subarray(bytes.length - tail.length)).toEqual(tail);
        const middle = codec.decode(bytes.subarray(mark.length + head.length, bytes.length - tail.length));
        expect(middle.replaceAll('\r\n', '\n')).toBe(fresh.replaceAll('\r\n', '\n'));
      }),
      {numRuns: 500},
    );
  });
});

describe('a file keeps', () => {
  const edit = {instruction: 'test', old_string: 'two', new_string: '2'};

  test('its mode [files.mode-kept]', async () => {
    await using kernel = await filesystemKernel({files: {'run.sh': 'one\ntwo\n'}});
    const path = join(kernel.project, 'run.sh');
    await chmod(path, 0o4755);
    await kernel.call('replace', {file_path: 'run.sh', ...edit});
    await kernel.call('write_file', {file_path: 'run.sh', content: 'three\n'});
    expect([(await stat(path)).mode & 0o7777, await readFile(path, 'utf8')]).toEqual([0o4755, 'three\n']);
  });

  test('its owner, where the system lets us', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'one\ntwo\n'}});
    const path = join(kernel.project, 'a.txt');
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(path, 12_345, 54_321);
    const {uid, gid} = await stat(path);
    await kernel.call('replace', {file_path: 'a.txt', ...edit});
    const after = await stat(path);
    expect([after.uid, after.gid, await readFile(path, 'utf8')]).toEqual([uid, gid, 'one\n2\n']);
  });

  test('its links: the target changes, the symbolic link stays', async () => {
    await using kernel = await filesystemKernel({files: {'real/a.txt': 'one\ntwo\n'}});
    await symlink(join('real', 'a.txt'), join(kernel.project, 'link.txt'));
    await kernel.call('replace', {file_path: 'link.txt', ...edit});
    expect({
      link: await readlink(join(kernel.project, 'link.txt')),
      target: await readFile(join(kernel.project, 'real', 'a.txt'), 'utf8'),
      isLink: (await lstat(join(kernel.project, 'link.txt'))).isSymbolicLink(),
    }).toEqual({link: join('real', 'a.txt'), target: 'one\n2\n', isLink: true});
  });

  test('not its hard links, and the result says so', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'one\ntwo\n'}});
    await link(join(kernel.project, 'a.txt'), join(kernel.project, 'b.txt'));
    expect(await outcome(kernel, 'replace', {file_path: 'a.txt', ...edit})).toMatchObject({
      model:
        'Modified the file <project>/a.txt: 1 replacement by exact match at line(s) 2. The file had 2 names (hard ' +
        'links); the others keep the old content. Here is the updated code:\none\n2',
    });
    expect(await readFile(join(kernel.project, 'b.txt'), 'utf8')).toBe('one\ntwo\n');
  });
});

describe('write_file over an existing file', () => {
  test.each([
    ['CRLF when all its lines end so', Buffer.from('a\r\nb\r\n'), 'x\ny\n', Buffer.from('x\r\ny\r\n')],
    ['nothing of mixed line ends', Buffer.from('a\r\nb\n'), 'x\ny\n', Buffer.from('x\ny\n')],
    ['line ends that are given', Buffer.from('a\nb\n'), 'x\r\ny\r\n', Buffer.from('x\r\ny\r\n')],
    ['the UTF-8 mark, once', Buffer.from('\uFEFFa\n'), '\uFEFFx\n', Buffer.from('\uFEFFx\n')],
    ['UTF-16', utf16('a\r\n'), 'ü\n', utf16('ü\r\n')],
    ['UTF-32', utf32('a'), '😀', utf32('😀')],
    ['the declared legacy encoding', Buffer.from('\xfc', 'latin1'), 'é', Buffer.from('\xe9', 'latin1')],
  ])('keeps %s', async (_, before, content, after) => {
    await using kernel = await filesystemKernel({
      files: {'a.txt': before},
      homeFiles: {
        '.gemini/settings.json': JSON.stringify({context: {fileFiltering: {legacyEncoding: 'windows-1252'}}}),
      },
    });
    await kernel.call('write_file', {file_path: 'a.txt', content});
    expect(await readFile(join(kernel.project, 'a.txt'))).toEqual(after);
  });

  test('refuses characters that the encoding of the file cannot hold, and leaves it as it is', async () => {
    await using kernel = await filesystemKernel({
      files: {'a.txt': Buffer.from('\xfc', 'latin1')},
      homeFiles: {
        '.gemini/settings.json': JSON.stringify({context: {fileFiltering: {legacyEncoding: 'windows-1252'}}}),
      },
    });
    expect(await outcome(kernel, 'write_file', {file_path: 'a.txt', content: 'Ω'})).toEqual({
      code: 'TEXT_UNENCODABLE',
      message: '"Ω" (U+03A9) cannot be encoded in windows-1252, the encoding of this file.',
      hint: 'Nothing was written. Use characters that the encoding has, or an escape sequence of the language.',
    });
    expect(await readFile(join(kernel.project, 'a.txt'))).toEqual(Buffer.from('\xfc', 'latin1'));
  });

  test.each([
    ['200 KB', 200 * 1024],
    ['20 MB', 20 * 1024 * 1024],
  ])('puts %s in place intact, and read_file gives it back by lines', async (_, size) => {
    await using kernel = await filesystemKernel();
    const line = `${'0123456789abcdef'.repeat(8)}é\r\n`;
    const content = line.repeat(Math.floor(size / Buffer.byteLength(line)));
    await kernel.call('write_file', {file_path: 'big.txt', content});
    expect((await readFile(join(kernel.project, 'big.txt'))).equals(Buffer.from(content))).toBe(true);
    const lines = content.length / line.length;
    expect(
      await outcome(kernel, 'read_file', {file_path: 'big.txt', start_line: lines - 1, end_line: lines}),
    ).toMatchObject({
      model: expect.stringContaining(`Status: Lines ${lines - 1}-${lines} of ${lines}.\n`),
      data: {firstLine: lines - 1, lastLine: lines, totalLines: lines},
    });
  });

  test('writes over a binary file as UTF-8', async () => {
    await using kernel = await filesystemKernel({files: {'a.bin': Buffer.from([0xff, 0, 0xc3])}});
    await kernel.call('write_file', {file_path: 'a.bin', content: 'text\n'});
    expect(await readFile(join(kernel.project, 'a.bin'), 'utf8')).toBe('text\n');
  });
});

test('a file in an encoding that is not configured is not edited', async () => {
  await using kernel = await filesystemKernel();
  await writeFile(join(kernel.project, 'a.txt'), Buffer.from('gr\xfcn\n', 'latin1'));
  expect(
    await outcome(kernel, 'replace', {file_path: 'a.txt', instruction: 'test', old_string: 'gr', new_string: 'x'}),
  ).toMatchObject({code: 'FILE_ENCODING_UNKNOWN'});
  expect(await readFile(join(kernel.project, 'a.txt'))).toEqual(Buffer.from('gr\xfcn\n', 'latin1'));
});
