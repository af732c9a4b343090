import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import {pluginRoot} from '../../helpers/plugin-root.js';

const {renderParameters, renderPreview, renderResult, renderTouches} = (await import(
  pathToFileURL(join(pluginRoot('tools'), 'dist', 'render.js')).href
)) as typeof import('../../../plugins/tools/src/render.js');

const paint = (style: string, text: string): string => `<${style}>${text}</${style}>`;

test.each<[string, Parameters<typeof renderResult>[0], string]>([
  ['text as it is', {model: 'a\nb\n', display: 'unused'}, 'a\nb\n'],
  [
    'parts on lines of their own, media by type and size',
    {model: [{text: 'see'}, {inlineData: {mimeType: 'image/png', data: 'AAAA'}}]},
    'see\n[image/png, 3 bytes]',
  ],
])('a result is shown as %s', (_, result, expected) => expect(renderResult(result)).toBe(expected));

test('what a call touches stands on a line each', () => {
  expect(
    renderTouches([
      {kind: 'path', value: '/a', access: 'write'},
      {kind: 'url', value: 'https://example.org', access: 'read'},
    ]),
  ).toBe('write /a\nread https://example.org');
});

test.each<[string, Parameters<typeof renderPreview>[0], string]>([
  ['a command with its folder', {kind: 'command', command: 'make', directory: '/a'}, '<strong>make</strong>\nin /a'],
  [
    'addresses',
    {kind: 'urls', urls: ['https://a.example', 'https://b.example']},
    'https://a.example\nhttps://b.example',
  ],
  ['text', {kind: 'text', text: 'as it is'}, 'as it is'],
  [
    'a diff by its lines',
    {kind: 'diff', path: 'a', before: '', after: '', diff: '--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n same'},
    '<strong>--- a</strong>\n<strong>+++ a</strong>\n<dim>@@ -1 +1 @@</dim>\n<bad>-old</bad>\n<good>+new</good>\n same',
  ],
])('a preview shows %s', (_, preview, expected) => expect(renderPreview(preview, paint)).toBe(expected));

describe('parameters', () => {
  test('stand with their type, whether they are required, and what they mean', () => {
    const schema = {
      type: 'object',
      required: ['path'],
      properties: {
        path: {type: 'string', description: 'The file.'},
        mode: {enum: ['a', 1]},
        either: {type: ['string', 'null']},
        anything: {},
      },
    };
    expect(renderParameters(schema, (_, text) => text)).toEqual([
      '  path      string, required\n            The file.',
      '  mode      "a" | 1',
      '  either    string | null',
      '  anything  any',
    ]);
  });

  test('may be none', () => expect(renderParameters({type: 'object'}, paint)).toEqual([]));
});
