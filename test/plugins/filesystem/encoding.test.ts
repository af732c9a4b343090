import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {built} from './built.js';

const {codecForEdit, codecOf, legacyCodec, markedCodec, utf8} =
  await built<typeof import('../../../plugins/filesystem/src/encoding.js')>('encoding');

const none = async (): Promise<unknown> => undefined;
const bytes = (...values: number[]): Buffer => Buffer.from(values);

describe('the codec of a content', () => {
  test.each([
    ['a UTF-8 mark', bytes(0xef, 0xbb, 0xbf, 0x61), 'utf-8', 3],
    ['a UTF-16LE mark', bytes(0xff, 0xfe, 0x61, 0), 'utf-16le', 2],
    ['a UTF-16BE mark', bytes(0xfe, 0xff, 0, 0x61), 'utf-16be', 2],
    ['a UTF-32LE mark, which starts as that of UTF-16LE', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'utf-32le', 4],
    ['a UTF-32BE mark', bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61), 'utf-32be', 4],
    ['no mark and valid UTF-8', Buffer.from('grün'), 'utf-8', 0],
    ['nothing at all', Buffer.alloc(0), 'utf-8', 0],
  ])('follows %s', async (_, content, name, mark) => {
    const codec = await codecOf(content, none);
    expect([codec?.name, codec?.mark.length]).toEqual([name, mark]);
  });

  test('is the declared one when the bytes are no UTF-8', async () => {
    const codec = await codecOf(Buffer.from('gr\xfcn', 'latin1'), async () => 'windows-1252');
    expect(codec?.decode(Buffer.from('gr\xfcn', 'latin1'))).toBe('grün');
  });

  test('is unknown when the bytes are no UTF-8 and nothing is declared, and the error for an edit names the setting', async () => {
    const content = Buffer.from('gr\xfcn', 'latin1');
    expect(await codecOf(content, none)).toBeUndefined();
    await expect(codecForEdit('/a.txt', content, none)).rejects.toMatchObject({
      code: 'FILE_ENCODING_UNKNOWN',
      message: '/a.txt is not valid UTF-8 and has no byte order mark, so an edit could damage it.',
      hint:
        `Ask the user to set context.fileFiltering.legacyEncoding to the file's encoding, for example ` +
        '"windows-1252" or "shift_jis".',
    });
  });

  test.each(['klingon', 'utf-16le'])('refuses %s as a legacy encoding', async (name) => {
    await expect(legacyCodec(name)).rejects.toMatchObject({
      code: 'FILE_ENCODING_UNKNOWN',
      message: `The setting context.fileFiltering.legacyEncoding is "${name}", which is not a supported legacy encoding.`,
    });
  });
});

describe('every Unicode codec', () => {
  const marks = ['efbbbf', 'fffe', 'feff', 'fffe0000', '0000feff'].map((mark) => Buffer.from(mark, 'hex'));

  test.each(marks.map((mark) => [mark.toString('hex'), mark] as const))(
    'with mark %s gives back what it encoded, and knows its length',
    (_, mark) => {
      const codec = markedCodec(Buffer.concat([mark, Buffer.from('\0\0\0\0')])) ?? utf8;
      fc.assert(
        fc.property(fc.string({unit: 'binary', maxLength: 6000}), (text) => {
          const encoded = codec.encode(text);
          expect(codec.decode(encoded)).toBe(text);
          expect(codec.byteLength(text)).toBe(encoded.length);
        }),
      );
    },
  );
});

describe('text that an encoding cannot hold', () => {
  test.each([
    [
      'half a surrogate pair in UTF-8',
      async () => utf8,
      'a\ud800b',
      '"\\ud800" (U+D800) cannot be encoded in utf-8, the encoding of this file.',
    ],
    [
      'a Greek letter in windows-1252',
      () => legacyCodec('windows-1252'),
      'αlpha',
      '"α" (U+03B1) cannot be encoded in windows-1252, the encoding of this file.',
    ],
    [
      'an emoji in Shift-JIS',
      () => legacyCodec('shift_jis'),
      'ok 😀',
      '"😀" (U+1F600) cannot be encoded in shift_jis, the encoding of this file.',
    ],
  ])('is refused: %s', async (_, codec, text, message) => {
    const {encode} = await codec();
    expect(() => encode(text)).toThrow(expect.objectContaining({code: 'TEXT_UNENCODABLE', message}));
  });

  test('is not confused with a replacement mark that the text has', () => {
    expect(utf8.encode('a\uFFFDb')).toEqual(Buffer.from('a\uFFFDb'));
  });
});
