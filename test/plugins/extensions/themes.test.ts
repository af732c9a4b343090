import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkExtension} from '#plugins/extensions/dist/manifest/check-extension.js';
import {readThemes} from '#plugins/extensions/dist/manifest/read-themes.js';
import {extension, makeFolder, shared, startWith, writeFiles} from './scene.js';

const AGENT = ['tools', 'agent'];

test('themes of extensions in use are listed with their extension; a broken one is named [extensions.themes]', async () => {
  const deep = {name: 'Deep', type: 'custom', text: {accent: 'teal'}};
  await using kernel = await startWith(
    {
      ...shared('ocean', extension({name: 'ocean', themes: [{type: 'custom'}, deep, 'dark', {...deep, text: {}}]})),
      ...shared('paper', extension({name: 'paper', themes: [{name: 'Deep'}]})),
      ...shared('off', extension({name: 'off', themes: [{name: 'Off'}]})),
      '.gemini/extensions/extension-enablement.json': JSON.stringify({off: {overrides: ['!/*']}}),
    },
    {more: AGENT},
  );
  const themes = await kernel.service('themes:extensions');
  expect(await themes.list()).toEqual([
    {name: 'Deep', colours: {type: 'custom', text: {accent: 'teal'}}, from: 'ocean'},
    {name: 'Deep', colours: {}, from: 'paper'},
  ]);
  // A kernel shows its notices before it closes.
  await kernel.kernel.close();
  const left = (clause: string): readonly [string, string] => [
    'EXTENSION_LEFT_OUT',
    `Extension "ocean": a theme is not used, because ${clause}.`,
  ];
  expect(kernel.notices.map(({code, sentence}) => [code, sentence])).toEqual([
    left('its themes[0] must have a name of one line, not undefined'),
    left('its themes[2] must be an object, not "dark"'),
    left('its themes[3] has the name "Deep", as one before it'),
  ]);
});

test('nothing is said about broken themes before a theme is looked for [extensions.themes]', async () => {
  const files = shared('ocean', extension({name: 'ocean', themes: 3}, {'GEMINI.md': 'Be kind.'}));
  await using kernel = await startWith(files, {more: AGENT});
  expect(await (await kernel.service('context:extensions')).list()).toHaveLength(1);
  expect(kernel.notices).toEqual([]);
});

test.each([
  [undefined, 0, []],
  [{}, 0, ['its themes must be a list']],
  [[{name: 'a\u001b[2J'}], 0, ['its themes[0] must have a name of one line, not "a\\u001b[2J"']],
  [[{name: 'x'.repeat(101)}], 0, [expect.stringContaining('must have a name')]],
  [[{name: ' '}], 0, ['its themes[0] must have a name of one line, not " "']],
  [Array.from({length: 500}, (_, index) => ({name: `t${index}`})), 500, []],
])('%j holds %i themes [extensions.themes]', (value, count, faults) => {
  const read = readThemes(value);
  expect(read.themes).toHaveLength(count);
  expect(read.themeFaults).toEqual(faults);
});

test('a check names wrong themes and wrong colours, and finds the extension valid [extensions.themes]', async () => {
  await using place = await makeFolder();
  const themes = [{name: 'Deep', text: {accent: 'tealish'}}, {}];
  await writeFiles(join(place.path, 'ocean'), extension({name: 'ocean', themes}));
  const {faults, warnings, brings} = await checkExtension(join(place.path, 'ocean'));
  expect({faults, warnings, themes: brings?.themes}).toEqual({
    faults: [],
    warnings: [
      'A theme is not used: its themes[1] must have a name of one line, not undefined.',
      'Its theme "Deep": text.accent must be #rrggbb or a name of CSS, not "tealish".',
    ],
    themes: ['Deep'],
  });
});
