import type {} from '@gemini-kernel/plugin-network/contract';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from './plugin-root.js';

// node test/dist/helpers/run-network.js '{"variables": {…}, "urls": […]}': what becomes of requests in a process of its
// own, whose fetch is the real one. Prints JSON.
const {variables, urls} = JSON.parse(process.argv[2] ?? '') as {
  readonly variables: Record<string, string>;
  readonly urls: readonly string[];
};
await using kernel = await createTestKernel({
  plugins: ['settings', 'trust', 'env', 'network'].map(pluginRoot),
  variables: {...variables, GEMINI_CLI_TRUST_WORKSPACE: 'true'},
});
const network = await kernel.service('network');
await network.prepare();
const outcomes: unknown[] = [];
for (const url of urls) {
  try {
    const response = await network.fetch(url, {method: 'POST', body: 'ping', signal: AbortSignal.timeout(5000)});
    outcomes.push({status: response.status, text: await response.text()});
  } catch (error) {
    outcomes.push(await network.explain(url, error));
  }
}
process.stdout.write(
  JSON.stringify({
    outcomes,
    proxies: await Promise.all(urls.map((url) => network.proxyFor(url).then((proxy) => proxy ?? null))),
  }),
);
