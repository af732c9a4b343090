import {request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from '@jest/globals';
import {Meter} from '#plugins/telemetry/dist/record/meter.js';
import {serveMetrics} from '#plugins/telemetry/dist/send/prometheus/metrics-server.js';

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({host: '127.0.0.1', port, path, headers, method}, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += String(part)));
      response.on('end', () => resolve({status: response.statusCode, text}));
    })
      .on('error', reject)
      .end();
  });
}

test('metrics are read from this machine, by its own name only [telemetry.prometheus]', async () => {
  const meter = new Meter();
  meter.add('gemini_cli.session.count', 2, {});
  meter.add('gemini_cli.tool.call.latency', 7, {function_name: 'say "hi"\n'});
  meter.add('gemini_cli.tool.call.latency', 1e9, {function_name: 'say "hi"\n'});
  const server = await serveMetrics(0, () => meter.read());
  const {port} = server.address() as AddressInfo;
  const {status, text} = await ask(port, '/metrics');
  expect(status).toBe(200);
  expect(text).toContain('# TYPE gemini_cli_session_count_total counter\ngemini_cli_session_count_total 2\n');
  expect(text).toContain(
    'gemini_cli_tool_call_latency_milliseconds_bucket{function_name="say \\"hi\\"\\n",le="10"} 1\n',
  );
  expect(text).toContain('gemini_cli_tool_call_latency_milliseconds_count{function_name="say \\"hi\\"\\n"} 2\n');
  expect((await ask(port, '/')).status).toBe(404);
  expect((await ask(port, '/metrics', {}, 'POST')).status).toBe(405);
  expect((await ask(port, '/metrics', {host: 'evil.example'})).status).toBe(403);
  server.close();
});

test('a metric has at most 1,000 combinations of attributes', () => {
  const meter = new Meter();
  for (let index = 0; index < 1500; index += 1)
    meter.add('gemini_cli.tool.call.count', 1, {function_name: `t${index}`});
  const [metric] = meter.read();
  expect(metric?.points).toHaveLength(1001);
  expect(metric?.points.at(-1)).toEqual({attributes: {'otel.metric.overflow': true}, value: 500});
});
