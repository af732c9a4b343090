import {execFile} from 'node:child_process';
import {truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {built, filesystemKernel, outcome} from './built.js';

const {kindOf} = await built<typeof import('../../../plugins/filesystem/src/media.js')>('media');

const numbered = (count: number): string => Array.from({length: count}, (_, index) => `line ${index + 1}\n`).join('');
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('read_file', () => {
  test('gives a whole text as it is, line ends included', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'one\r\ntwo\nthree'}});
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toEqual({
      model: 'one\r\ntwo\nthree',
      display: 'lines 1-3 of 3',
      data: {path: '<project>/a.txt', firstLine: 1, lastLine: 3, totalLines: 3, truncated: false, encoding: 'utf-8'},
    });
  });

  test.each([
    [
      'a range',
      {start_line: 2, end_line: 3},
      'Lines 2-3 of 5.',
      'To continue, call read_file with start_line: 4.',
      'line 2\nline 3\n',
    ],
    [
      'a range up to the end',
      {start_line: 4},
      'Lines 4-5 of 5.',
      'The file ends after these lines.',
      'line 4\nline 5\n',
    ],
    [
      'a range past the end',
      {start_line: 5, end_line: 99},
      'Lines 5-5 of 5.',
      'The file ends after these lines.',
      'line 5\n',
    ],
    [
      'a range from the start',
      {end_line: 1},
      'Lines 1-1 of 5.',
      'To continue, call read_file with start_line: 2.',
      'line 1\n',
    ],
  ])('says which lines %s holds and how to continue', async (_, range, status, action, text) => {
    await using kernel = await filesystemKernel({files: {'a.txt': numbered(5)}});
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt', ...range})).toMatchObject({
      model:
        `\nIMPORTANT: This is not the whole content of the file.\nStatus: ${status}\nAction: ${action}\n\n--- FILE ` +
        `CONTENT (truncated) ---\n${text}`,
    });
  });

  test('gives 2000 lines when no end is named, and as many as named otherwise', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': numbered(5000)}});
    const data = async (range: object): Promise<unknown> =>
      ((await outcome(kernel, 'read_file', {file_path: 'a.txt', ...range})) as {data: unknown}).data;
    const base = {path: '<project>/a.txt', totalLines: 5000, truncated: true, encoding: 'utf-8'};
    expect([await data({}), await data({start_line: 1001}), await data({start_line: 2, end_line: 4500})]).toEqual([
      {...base, firstLine: 1, lastLine: 2000},
      {...base, firstLine: 1001, lastLine: 3000},
      {...base, firstLine: 2, lastLine: 4500},
    ]);
  });

  test('cuts lines after 2000 characters, never through one', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': `${'x'.repeat(1999)}😀tail\nshort\n`}});
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toMatchObject({
      model:
        '\nIMPORTANT: This is not the whole content of the file.\nStatus: Lines 1-2 of 2. 1 of them is cut after ' +
        '2000 characters.\n' +
        (`Action: The file ends after these lines.\n\n--- FILE CONTENT (truncated) ---\n${'x'.repeat(1999)}... ` +
          `[truncated]\nshort\n`),
    });
  });

  test('gives an empty file as an empty text', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': ''}});
    const empty = {
      model: '',
      display: 'empty file',
      data: {path: '<project>/a.txt', firstLine: 0, lastLine: 0, totalLines: 0, truncated: false, encoding: 'utf-8'},
    };
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toEqual(empty);
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt', start_line: 1})).toEqual(empty);
  });

  test.each([
    ['UTF-16LE', Buffer.from('\uFEFFé\r\nb\n', 'utf16le'), 'utf-16le'],
    ['UTF-16BE', Buffer.from('\uFEFFé\r\nb\n', 'utf16le').swap16(), 'utf-16be'],
    ['UTF-8 with a mark', Buffer.from('\uFEFFé\r\nb\n'), 'utf-8'],
  ])('reads %s, whole and by line', async (_, content, encoding) => {
    await using kernel = await filesystemKernel({files: {'a.txt': content}});
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toMatchObject({
      model: 'é\r\nb\n',
      data: {totalLines: 2, encoding},
    });
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt', start_line: 2})).toMatchObject({
      model: expect.stringMatching(/\(truncated\) ---\nb\n$/),
    });
  });

  test('reads the declared legacy encoding [files.encoding]', async () => {
    await using kernel = await filesystemKernel({
      files: {
        'a.txt': Buffer.from('93fa967b0a', 'hex'),
        '.gemini/settings.json': JSON.stringify({context: {fileFiltering: {legacyEncoding: 'shift_jis'}}}),
      },
    });
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toMatchObject({
      model: '日本\n',
      data: {encoding: 'shift_jis'},
    });
  });

  test('counts the bytes that are no text when no encoding is declared, apart from real replacement marks', async () => {
    await using kernel = await filesystemKernel({
      files: {'a.txt': Buffer.concat([Buffer.from('gr\xfcn \xfc', 'latin1'), Buffer.from(' \uFFFD\n')])},
    });
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toMatchObject({
      model:
        '\nWARNING: 2 bytes are not valid UTF-8 and are shown as \uFFFD; the file cannot be edited unless ' +
        'context.fileFiltering.legacyEncoding is set.\n' +
        '\n--- FILE CONTENT ---\ngr\uFFFDn \uFFFD \uFFFD\n',
    });
  });

  test('gives an image as media, whole or by range', async () => {
    await using kernel = await filesystemKernel({files: {'a.png': png}});
    const image = {
      model: [{inlineData: {mimeType: 'image/png', data: png.toString('base64')}}],
      display: 'image/png, 16 bytes',
      data: {path: '<project>/a.png', mimeType: 'image/png', bytes: 16},
    };
    expect([
      await outcome(kernel, 'read_file', {file_path: 'a.png'}),
      await outcome(kernel, 'read_file', {file_path: 'a.png', end_line: 1}),
    ]).toEqual([image, image]);
  });

  test('names a binary file as such', async () => {
    await using kernel = await filesystemKernel({files: {'a.out': Buffer.from([1, 0, 2])}});
    expect(await outcome(kernel, 'read_file', {file_path: 'a.out'})).toEqual({
      model: '<project>/a.out is a binary file of 3 bytes; its content cannot be shown.',
      display: 'binary, 3 bytes',
      data: {path: '<project>/a.out', bytes: 3, binary: true},
    });
  });

  test('reads a range of a file that is too large to read whole [files.large]', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'first\nsecond\n'}});
    const path = join(kernel.project, 'a.txt');
    const size = 21 * 1024 * 1024;
    await writeFile(path, Buffer.alloc(size, 'x\n'.repeat(512)));
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt'})).toEqual({
      code: 'FILE_TOO_LARGE',
      message: '<project>/a.txt is 21 MB; the limit for one read is 20 MB.',
      hint: 'Read it in parts with read_file and start_line and end_line, or search it.',
    });
    const lines = size / 2;
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt', start_line: lines})).toMatchObject({
      data: {totalLines: lines, firstLine: lines},
    });
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt', start_line: 2, end_line: 2})).toEqual({
      model:
        '\nIMPORTANT: This is not the whole content of the file.\nStatus: Lines 2-2, and the file ' +
        'continues.\nAction: To continue, call read_file with start_line: 3.\n\n--- FILE CONTENT (truncated) ' +
        '---\nx\n',
      plain: 'x\n',
      display: 'lines 2-2',
      data: {path: '<project>/a.txt', firstLine: 2, lastLine: 2, truncated: true, encoding: 'utf-8'},
    });
    await writeFile(path, 'y'.repeat(size));
    expect(await outcome(kernel, 'read_file', {file_path: 'a.txt', end_line: 1})).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringMatching(
        /^The content of lines 1 to 1 of <project>\/a.txt is 2\d(\.\d)? MB; the limit for one read is 20 MB.$/,
      ),
    });
  });

  test('reads an SVG as text, up to 1 MB', async () => {
    await using kernel = await filesystemKernel({files: {'a.svg': '<svg/>\n', 'b.svg': ' '.repeat(1024 * 1024 + 1)}});
    expect(await outcome(kernel, 'read_file', {file_path: 'a.svg'})).toMatchObject({model: '<svg/>\n'});
    expect(await outcome(kernel, 'read_file', {file_path: 'b.svg'})).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: '<project>/b.svg is 1 MB; the limit for one read is 1 MB.',
    });
  });

  test('drops a leading @ unless the name has it', async () => {
    await using kernel = await filesystemKernel({files: {'src/a.txt': 'plain\n', '@scope/a.txt': 'scoped\n'}});
    expect(await outcome(kernel, 'read_file', {file_path: '@src/a.txt'})).toMatchObject({model: 'plain\n'});
    expect(await outcome(kernel, 'read_file', {file_path: '@scope/a.txt'})).toMatchObject({model: 'scoped\n'});
  });

  test.each([
    [
      'a name that is not there',
      {file_path: 'nope.txt'},
      {
        code: 'FILE_MISSING',
        message: 'Cannot read <project>/nope.txt: it does not exist.',
        hint: 'List its directory to check the name.',
      },
    ],
    [
      'a directory',
      {file_path: 'src'},
      {
        code: 'FILE_IS_DIRECTORY',
        message: '<project>/src is a directory.',
        hint: 'Use list_directory to see what is in it.',
      },
    ],
    [
      'a reversed range',
      {file_path: 'a.txt', start_line: 3, end_line: 2},
      {code: 'LINE_RANGE_REVERSED', message: 'start_line (3) is greater than end_line (2).', hint: 'Swap them.'},
    ],
    [
      'a line after the last',
      {file_path: 'a.txt', start_line: 4},
      {
        code: 'LINE_MISSING',
        message: '<project>/a.txt has 2 lines; there is no line 4.',
        hint: 'Use a start_line from 1 to 2.',
      },
    ],
    [
      'an ignored file',
      {file_path: 'out.log'},
      {
        code: 'FILE_IGNORED',
        message: '<project>/out.log is ignored by <project>/.geminiignore, line 2: *.log.',
        hint: 'Work without it, or ask the user to change the rule.',
      },
    ],
    ['a path outside the workspace', {file_path: '../x'}, expect.objectContaining({code: 'PATH_OUTSIDE_WORKSPACE'})],
    ['no path', {}, expect.objectContaining({code: 'TOOL_INPUT_INVALID'})],
    ['line 0', {file_path: 'a.txt', start_line: 0}, expect.objectContaining({code: 'TOOL_INPUT_INVALID'})],
  ])('refuses %s', async (_, input, expected) => {
    await using kernel = await filesystemKernel({
      files: {'a.txt': 'one\ntwo\n', 'src/b.txt': '', '.geminiignore': '# logs\n*.log\n', 'out.log': 'x\n'},
    });
    expect(await outcome(kernel, 'read_file', input)).toEqual(expected);
  });

  test('refuses a pipe without waiting for its writer', async () => {
    await using kernel = await filesystemKernel();
    await promisify(execFile)('mkfifo', [join(kernel.project, 'pipe')]);
    expect(await outcome(kernel, 'read_file', {file_path: 'pipe'})).toEqual({
      code: 'FILE_IS_SPECIAL',
      message: '<project>/pipe is a device, a pipe or a socket, not a file.',
    });
  });

  test('rejects with the reason of the abort', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'x\n'}});
    const path = join(kernel.project, 'a.txt');
    await truncate(path, 20 * 1024 * 1024);
    const reason = new Error('enough');
    await expect(
      kernel.call('read_file', {file_path: 'a.txt', end_line: 1}, {signal: AbortSignal.abort(reason)}),
    ).rejects.toBe(reason);
  });
});

describe('the kind of a file', () => {
  const media = (mimeType: string): object => ({kind: 'media', mimeType});
  test.each([
    ['magic that agrees with the name', '%PDF-1.7\nplain', 'a.pdf', media('application/pdf')],
    ['magic in a file that is called otherwise', png.toString('latin1'), 'a.jpg', media('image/png')],
    ['the name when binary data has no magic', '\0\0\x01\xb3', 'a.mpeg', media('video/mpeg')],
    ['text that stands in for a picture', 'version https://git-lfs.github.com/spec/v1\n', 'a.png', {kind: 'text'}],
    ['text that starts as a document would', '%PDF- is how a PDF starts\n', 'notes.txt', {kind: 'text'}],
    ['TypeScript, whose extension is also one of video', '\x47\0\0', 'a.ts', {kind: 'text'}],
    ['binary data without name or magic', 'a\0b', 'a.dat', {kind: 'binary'}],
    ['many control characters', '\x01\x02\x03ab', 'a.txt', {kind: 'binary'}],
    ['MP3', 'ID3\x04\0', 'a.mp3', media('audio/mpeg')],
    ['WAV', 'RIFF\0\0\0\0WAVEfmt ', 'a.wav', media('audio/wav')],
    ['WebP, which starts as WAV does', 'RIFF\0\0\0\0WEBPVP8 ', 'a.bin', media('image/webp')],
    ['MP4', '\0\0\0\x18ftypisom', 'a.mov', media('video/mp4')],
    ['nothing', '', 'a.txt', {kind: 'text'}],
  ])('is judged by %s', (_, start, path, expected) => {
    expect(kindOf(Buffer.from(start, 'latin1'), path, false)).toEqual(expected);
  });
});
