import {expect, test} from '@jest/globals';
import {attributesOf, startHttpCollector, type Collector, type Otlp} from '../../helpers/collector.js';
import {openFleet, OPEN, resultsOf, RUN, writes} from '../fleet/scene.js';

const settingsFor = ({url}: Collector) => ({
  telemetry: {enabled: true, otlpProtocol: 'http', otlpEndpoint: url, logPrompts: false},
  general: {maxAttempts: 1},
});

/** The names from the root of the trace to a span; each one is there once. */
function chainOf(span: Otlp, spans: readonly Otlp[]): readonly string[] {
  const {parentSpanId, traceId} = span;
  const name = String(span['name']);
  if ((parentSpanId ?? '') === '') return [name];
  const above = spans.filter((one) => one['spanId'] === parentSpanId && one['traceId'] === traceId);
  expect(above.map((one) => one['name'])).toHaveLength(1);
  return [...chainOf(above[0] ?? {}, spans), name];
}

function metricsOf(collector: Collector, name: string): readonly Otlp[] {
  return collector
    .all('metrics')
    .filter((metric) => metric['name'] === name)
    .flatMap((metric) => Object.values(metric).flatMap((value) => (value as {dataPoints?: Otlp[]}).dataPoints ?? []))
    .map((point) => ({...attributesOf(point), value: point['asDouble'] ?? point['sum']}));
}

test('a task is one trace: fleet, task, each attempt, and what the model and tools did in it [telemetry.fleet]', async () => {
  await using collector = await startHttpCollector();
  let refused = false;
  await using place = await openFleet(
    {
      settings: settingsFor(collector),
      script: (request) => {
        // The first request of the fleet fails by chance, so that one of the two tasks is tried again.
        if (refused) return writes(request);
        refused = true;
        return {refusal: {status: 500}};
      },
    },
    ['a', 'b'],
  );
  const {code, stderr} = await place.run([...RUN, ...OPEN]);
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const lines = await resultsOf(place);
  expect(lines.map(({attempts}) => attempts).sort()).toEqual([1, 2]);
  const spans = collector.all('trace');
  for (const {id, attempts} of lines) {
    const task = spans.find((span) => span['name'] === 'task' && attributesOf(span)['gemini.fleet.task.id'] === id);
    const own = spans.filter(({traceId}) => traceId === task?.['traceId']);
    const named = (name: string): readonly Otlp[] => own.filter((span) => span['name'] === name);
    expect([named('fleet'), named('task'), named('attempt')].map(({length}) => length)).toEqual([1, 1, attempts]);
    const chain = ['fleet', 'task', 'attempt', 'user_prompt'];
    for (const name of ['llm_call', 'tool_call'])
      expect(named(name).map((span) => chainOf(span, own))).toEqual(named(name).map(() => [...chain, name]));
    expect(named('tool_call')).toHaveLength(1);
    expect(named('llm_call')).toHaveLength(attempts + 1);
    expect(named('attempt').map((span) => attributesOf(span)['gemini.fleet.attempt'])).toEqual(
      attempts === 1 ? [1] : [1, 2],
    );
  }
  expect(new Set(spans.map(({traceId}) => traceId)).size).toBe(2);
  expect(metricsOf(collector, 'gemini.fleet.attempt.count')).toEqual(
    expect.arrayContaining([
      {'gemini.fleet.name': 'repos', state: 'done', value: 2},
      {'gemini.fleet.name': 'repos', state: 'waiting', value: 1},
    ]),
  );
  const states = metricsOf(collector, 'gemini.fleet.tasks').filter(({state}) => state === 'done');
  expect(states.at(-1)).toMatchObject({value: 2});
  const used = metricsOf(collector, 'gemini.fleet.token.usage').at(-1);
  expect(used).toEqual({'gemini.fleet.name': 'repos', value: 48});
  expect(metricsOf(collector, 'gemini.fleet.queue.age')).not.toEqual([]);
  const whole = JSON.stringify(collector.received);
  for (const text of ['Write a file', place.project, 'new.txt']) expect(whole).not.toContain(text);
});

test('a fleet tells nothing while telemetry is off [telemetry.fleet]', async () => {
  await using collector = await startHttpCollector();
  await using place = await openFleet({settings: {telemetry: {...settingsFor(collector).telemetry, enabled: false}}}, [
    'a',
  ]);
  expect((await place.run([...RUN, ...OPEN])).code).toBe(0);
  expect(collector.received).toEqual([]);
  expect(JSON.stringify(await resultsOf(place))).not.toContain('"first"');
});
