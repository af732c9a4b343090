import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';

/** Opens a keyboard whose screen has to be left, and then lets something else go wrong. */
const program = (keyboard: string, wrong: string): string => `
import {PassThrough} from 'node:stream';
import {Keyboard} from ${JSON.stringify(keyboard)};
const keyboard = new Keyboard({
  input: new PassThrough(), output: process.stdout, isCapable: true, isRaw: false, modes: {on: '<on>', off: '<off>'},
  onKey: () => {}, onResize: () => {}, onClose: () => {}, onExit: () => process.stdout.write('<left>'),
});
keyboard.open();
process.once('uncaughtException', (error) => { process.stdout.write('<' + error.message + '>'); process.exit(1); });
setImmediate(() => { ${wrong} });
`;

test.each([
  ['an error that nothing catches', "throw new Error('broken')", '<on>.*<left><off>.*<broken>$'],
  ['an exit', 'process.exit(0)', '<on>.*<left><off>[^<]*$'],
])('a keyboard leaves the terminal as others expect it after %s [tui.window-lost]', async (_, wrong, expected) => {
  const keyboard = join(checkout, 'kernel', 'terminal', 'dist', 'keyboard.js');
  const written = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', program(keyboard, wrong)], (__, stdout) =>
      resolve(stdout),
    );
  });
  expect(written).toMatch(new RegExp(expected, 's'));
});
