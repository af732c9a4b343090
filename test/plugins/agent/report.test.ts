import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {CTRL_D, GeminiSitting} from '../../helpers/sit-at-gemini.js';
import {atTerminal} from '../../journeys/run-at-terminal.js';
import {reportAddress} from '#plugins/agent/dist/report/report-address.js';

const TEMPLATE = 'https://example.com/new?title={title}&body={info}&p={problem}';
const SECRET = 'sk-very-secret-0123456789';

function settingsOf(template: string | undefined): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return {
    ...(template === undefined ? {} : {advanced: {bugCommand: {urlTemplate: template}}}),
    ui: {theme: 'Dracula', hideTips: true, inlineThinkingMode: 'full'},
    mcpServers: {'secret-server': {command: '/private/thing', env: {TOKEN: SECRET}}},
    model: {name: 'gemini:model-a', prices: {'gemini:private': {input: 1, output: 2}}},
    'made-up': {SECRET},
  };
}

function report(place: AgentPlace, words: readonly string[], variables = {}): Promise<RunResult> {
  return runGemini(['doctor', 'report', ...words], {cwd: place.project, home: place.home, variables});
}

test('a report has versions and settings, and nothing that can be private [bug.report]', async () => {
  await using place = await openAgentPlace({script: [], settings: settingsOf(TEMPLATE)});
  const {code, stdout} = await report(place, ['It', 'is slow', '--json'], {MY_API_KEY: SECRET, CI: 'true'});
  expect(code).toBe(0);
  const {title, report: text, address, isOpened} = JSON.parse(stdout) as Record<string, string>;
  expect([title, isOpened]).toEqual(['It is slow', false]);
  expect(text).toMatch(/^### About\n\n- version: \d[^]*- terminal: [^]*### Plugins\n\n- \d+ of the product\n/);
  for (const line of ['ui.hideTips: true (user)', 'ui.inlineThinkingMode: "full" (user)', 'ui.theme: set (user)'])
    expect(text).toContain(`- ${line}\n`);
  expect(text).not.toMatch(/secret|private|Dracula|made-up|\/tmp|home/);
  const url = new URL(address ?? '');
  expect([url.searchParams.get('title'), url.searchParams.get('body'), url.searchParams.get('p')]).toEqual([
    'It is slow',
    text,
    'It is slow',
  ]);
});

test('without an address, and with one that is not of the web [bug.report]', async () => {
  await using bare = await openAgentPlace({script: [], settings: settingsOf(undefined)});
  expect((await report(bare, [])).stdout).toContain('No address to report to is set.');
  await using odd = await openAgentPlace({script: [], settings: settingsOf('file:///etc/passwd?{title}')});
  const {code, stdout} = await report(odd, ['x', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    52,
    {
      error: expect.objectContaining({
        code: 'BUG_ADDRESS_INVALID',
        message: expect.stringContaining('file:///etc/passwd'),
      }),
    },
  ]);
});

test('a project does not say where to report [bug.report]', async () => {
  await using place = await openAgentPlace({
    script: [],
    files: {'.gemini/settings.json': JSON.stringify({advanced: {bugCommand: {urlTemplate: TEMPLATE}}})},
  });
  expect((await report(place, ['x'])).stdout).toContain('No address to report to is set.');
});

test('a long report is shortened to an address that works, and a title is not a template [bug.report]', () => {
  const long = reportAddress(TEMPLATE, {title: '{info} $& ✓', info: 'a line of the report ✓\n'.repeat(2000)});
  expect(long.href.length).toBeLessThanOrEqual(8000);
  expect(long.href.length).toBeGreaterThan(7000);
  expect(long.searchParams.get('title')).toBe('{info} $& ✓');
  expect(long.searchParams.get('body')).toMatch(/^(?:a line of the report ✓\n?)+\n\(shortened\)\n$/);
  expect(reportAddress(TEMPLATE, {title: 'x'.repeat(99_999), info: 'y'}).href.length).toBeLessThan(8000);
  expect(reportAddress(TEMPLATE, {title: '\ud800', info: ''}).searchParams.get('title')).toBe('\ufffd');
});

atTerminal('/bug shows the report, and opens the address after a yes [bug.report]', async () => {
  await using place = await openAgentPlace({script: [says('Here.')], settings: settingsOf(TEMPLATE)});
  const [folder, opened] = [join(place.home, 'bin'), join(place.home, 'opened')];
  await mkdir(folder);
  await writeFile(
    join(folder, 'browse'),
    `#!/bin/sh\nprintf %s "$1" > '${opened}.new'; mv '${opened}.new' '${opened}'\n`,
  );
  await chmod(join(folder, 'browse'), 0o755);
  const variables = {TERM: 'dumb', BROWSER: join(folder, 'browse'), CI: ''};
  await using sitting = await GeminiSitting.begin(place, {variables});
  await sitting.go(
    ['> ', 'a private prompt\r'],
    ['Here.', ''],
    ['> ', '/bug Enter is lost\r'],
    ['### About', ''],
    ['Open it in your browser? [Y/n] ', 'n\r'],
    ['Report it at:', ''],
    ['> ', '/bug Enter is lost\r'],
    ['Open it in your browser? [Y/n] ', '\r'],
    ['Opened in your browser.', ''],
    ['> ', CTRL_D],
  );
  await sitting.end();
  const address = new URL(await readFile(opened, 'utf8'));
  expect(address.searchParams.get('title')).toBe('Enter is lost');
  expect(address.searchParams.get('body')).not.toContain('private');
});
