import {createServer, type AddressInfo} from 'node:net';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {compareRuns} from '#plugins/evals/dist/compare/compare-runs.js';
import {renderPage} from '#plugins/evals/dist/page/render-page.js';
import type {Run} from '#plugins/evals/dist/results/result.js';
import {findChromium, startChromium} from '../../helpers/chromium.js';
import {makeFolder} from '../../helpers/make-plugin.js';

const program = findChromium();

/** A run with long and hostile names, in which some repetitions pass. */
function makeRun(file: string, names: readonly string[], passed: number): Run {
  const model = 'openai:a-model-with-a-name-that-is-longer-than-most-480b-instruct';
  const evals = Object.fromEntries(names.map((name) => [name, {digest: 'd', passRate: 1}]));
  return {
    file,
    header: {
      ...{kind: 'run', format: 1, run: 'r', started: '2026-01-01T00:00:00.000Z', version: '1.0.0'},
      ...{from: '/p/evals', filter: '', models: [], evals},
      variant: {component: 'tools.replace.description', value: names.join('\n')},
    },
    results: names.flatMap((name) =>
      Array.from({length: 5}, (_, index) => ({
        ...{kind: 'result' as const, eval: name, model, repetition: index + 1, digest: 'd', faults: [name]},
        ...{status: index < passed ? ('passed' as const) : ('failed' as const), outcome: 'done', calls: 1, refused: 0},
        ...{turns: 2, tokens: 12_345, cost: 0.0123, seconds: 12.3, conversation: ''},
      })),
    ),
  };
}

/** What stands out of the screen at its right, but for what can be scrolled to. */
const OUTSIDE = `[...document.querySelectorAll('body *')].filter((one) => !one.closest('.scroll') &&
  one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 100))`;
/** Texts that differ from what is behind them by less than 4.5, as the WCAG counts. */
const PALE = `(() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255)
      .map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const back = light(getComputedStyle(document.body).backgroundColor);
  return [...new Set([...document.querySelectorAll('body *')].map((one) => getComputedStyle(one).color))]
    .filter((color) => Math.max(light(color), back) / Math.min(light(color), back) < 4.5);
})()`;

(program === undefined ? test.skip : test)(
  'a browser shows the page on wide, narrow, light and dark screens, and asks for nothing [evals.page]',
  async () => {
    await using folder = await makeFolder();
    let asked = 0;
    const server = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    server.unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const names = [
      'edits/one',
      `a-long-name/${'of-a-folder-'.repeat(12)}`,
      'w'.repeat(200),
      `<img src=${address}a><script src=${address}b></script><link rel=stylesheet href=${address}c>`,
      `" style="background:url(${address}d)" x="`,
    ];
    const run = makeRun('/home/person/after.jsonl', names, 4);
    const file = join(folder.path, 'page.html');
    await writeFile(file, renderPage(run, compareRuns(makeRun('/home/person/before.jsonl', names, 1), run)));
    await using browser = await startChromium(program ?? '');
    const backs = new Set<string>();
    for (const width of [1280, 400])
      for (const isDark of [false, true]) {
        await browser.open(pathToFileURL(file).href, {width, isDark});
        expect({
          wide: await browser.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'),
          outside: await browser.evaluate<string[]>(OUTSIDE),
          pale: await browser.evaluate<string[]>(PALE),
        }).toEqual({wide: false, outside: [], pale: []});
        backs.add(await browser.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
      }
    expect(backs.size).toBe(2);
    expect(await browser.evaluate<number>("document.querySelectorAll('img, script, link, [style]').length")).toBe(0);
    expect(await browser.evaluate<string>("document.querySelector('h2').textContent")).toBe('Difference');
    expect({complaints: browser.complaints, asked}).toEqual({complaints: [], asked: 0});
    expect(new Set(browser.requests)).toEqual(new Set([pathToFileURL(file).href]));
  },
  60_000,
);
