import {expect, test} from '@jest/globals';
import {openAgentPlace} from '../../helpers/run-agent.js';
import {CTRL_D, GeminiSitting} from '../../helpers/sit-at-gemini.js';
import {atTerminal} from '../../journeys/run-at-terminal.js';

test('gemini settings footer lists, sets and resets the items, and refuses others [tui.footer-view]', async () => {
  await using place = await openAgentPlace({script: []});
  const footer = async (...words: string[]): Promise<unknown> => {
    const {code, stdout} = await place.run(['settings', 'footer', ...words, '--json']);
    return code === 0 ? (JSON.parse(stdout) as {items: unknown}).items : [code, JSON.parse(stdout)];
  };
  const usual = ['workspace', 'git-branch', 'model-name', 'context-used'];
  expect(await footer()).toEqual(usual);
  expect(await footer('cost,workspace', 'cost')).toEqual(['cost', 'workspace']);
  expect(await footer()).toEqual(['cost', 'workspace']);
  const fault = (code: string, hint: string): unknown => [42, {error: expect.objectContaining({code, hint})}];
  expect(await footer('cots')).toEqual(fault('FOOTER_UNKNOWN', 'Did you mean cost?'));
  expect(await footer('cost', '--usual')).toEqual(fault('FOOTER_UNCLEAR', 'Give one of them.'));
  expect(await footer()).toEqual(['cost', 'workspace']);
  expect(await footer('--usual')).toEqual(usual);
});

test('it says when a stronger file decides [tui.footer-view]', async () => {
  await using place = await openAgentPlace({
    script: [],
    files: {'.gemini/settings.json': JSON.stringify({ui: {footer: {items: ['cost']}}})},
  });
  const {stdout} = await place.run(['settings', 'footer', 'hostname']);
  expect(stdout).toMatch(/Kept in .* But .*settings\.json sets the items too, and wins\.\n$/);
});

atTerminal('/footer is a numbered list in plain lines [tui.footer-view]', async () => {
  await using place = await openAgentPlace({script: []});
  await using sitting = await GeminiSitting.begin(place, {variables: {TERM: 'dumb'}});
  await sitting.go(
    ['> ', '/footer\r'],
    ['1. workspace: the folder (shown)', ''],
    ['Which one? ', '?\r'],
    ['h and a number: move to the left.', ''],
    ['Which one? ', 'h 3\r'],
    ['2. model-name: the model (shown)', ''],
    ['Which one? ', '1\r'],
    ['1. model-name: the model (shown)', ''],
    ['Which one? ', 'v 1\r'],
    ['gemini:model-a', ''],
    ['Which one? ', '\r'],
    ['> ', CTRL_D],
  );
  await sitting.end();
  const {stdout} = await place.run(['settings', 'get', 'ui.footer.items', '--json']);
  expect(stdout).toMatch(/"model-name",\s*"git-branch",\s*"context-used"/);
});
