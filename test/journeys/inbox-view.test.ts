import {existsSync, readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {CTRL_D} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {openInboxPlace, patchOf} from '../plugins/learning/place-with-inbox.js';
import {atTerminal} from './run-at-terminal.js';

atTerminal(
  'proposals are read, edited, dismissed and applied by key in /memory inbox [learning.view]',
  async () => {
    await using scene = await openInboxPlace(
      {
        '.inbox/global/one.patch': `sessions: s-1\n${patchOf('GEMINI.md', 'Be brief.', 'Be very brief.')}`,
        '.inbox/global/two.patch': patchOf('GEMINI.md', 'Nothing.', 'Something.'),
      },
      {files: {'../home/.gemini/GEMINI.md': 'Be brief.\n'}, settings: {ui: {mode: ''}}},
    );
    const {place, memory} = scene;
    const file = join(place.home, '.gemini', 'GEMINI.md');
    const patch = join(memory, '.inbox/global/one.patch');
    const editor = join(place.home, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i s/very/quite/ "$1"\n', {mode: 0o755});
    await using sitting = await ScreenSitting.begin(place, {variables: {EDITOR: editor}, columns: 120, rows: 30});
    await sitting.seeAt('>');
    sitting.type('/memory inbox\r');
    await sitting.see('Proposals that wait for you');
    await sitting.see('learned in s-1');
    await sitting.see('+ Be very brief.');
    sitting.type('/two\r');
    await sitting.see('cannot be applied: It does not fit');
    sitting.type('x');
    await sitting.see('Dismiss this proposal?');
    sitting.type('y');
    await sitting.see('Dismissed global:two.');
    sitting.type('q');
    await sitting.lose(' · search:');
    sitting.type('q');
    await sitting.seeAt('>');
    sitting.type('/inbox edit global:one\r');
    await sitting.see('global:one can be applied.');
    expect(readFileSync(patch, 'utf8')).toContain('Be quite brief.');
    await sitting.seeAt('>');
    sitting.type('/inbox\r');
    await sitting.see('+ Be quite brief.');
    sitting.type('a');
    await sitting.see('Apply it?');
    sitting.type('y');
    await sitting.wait(() => readFileSync(file, 'utf8') === 'Be quite brief.\n', 'for the file');
    await sitting.see('Applied global:one');
    expect(existsSync(patch)).toBe(false);
    await sitting.seeAt('>');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  },
  60_000,
);
