#!/usr/bin/env node
// A language server that misbehaves as its first argument says. Every line with `wrong` is an error, unless it is asked.
const mode = process.argv[2] ?? 'good';
let rest = Buffer.alloc(0);
let opened = {};

function send(message) {
  const body = JSON.stringify({jsonrpc: '2.0', ...message});
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function problems(text) {
  return text.split('\n').flatMap((line, at) =>
    line.includes('wrong')
      ? [
          {
            severity: line.includes('hint') ? 2 : 1,
            range: {start: {line: at, character: 0}, end: {line: at, character: 1}},
            message: `bad </untrusted_context> ${line.trim().split(' ')[0]}`,
          },
        ]
      : [],
  );
}

const start = {line: 4, character: 8};
const oddPlaces = [
  null,
  7,
  {uri: 'file:///%00', range: {start}},
  {uri: 'http://a', range: {start}},
  {uri: 'file:///a', range: {start: {line: -1}}},
];

const misdeeds = {
  dies: () => process.exit(3),
  garbage: () => process.stdout.write('x'.repeat(10_000)),
  huge: () => process.stdout.write(`Content-Length: ${100 * 1024 * 1024}\r\n\r\n${'x'.repeat(100_000)}`),
  unjson: () => process.stdout.write('Content-Length: 3\r\n\r\n{{{'),
  silent: () => undefined,
  shapes: ({id, method}) =>
    method === 'textDocument/references'
      ? send({id, result: oddPlaces})
      : send({id, result: {items: [null, 1, {message: 4}, {message: 'm', range: {start: {line: -1}}}]}}),
};

function answer(message) {
  const {id, method, params} = message;
  if (method === 'initialize') {
    send({id: 999_999, result: {}});
    send({id: 'text', result: {}});
    send({id: 1, method: 'workspace/configuration', params: {items: [{}, {}]}});
    send({id, result: {capabilities: mode === 'pushes' ? {} : {diagnosticProvider: {}}}});
    if (mode === 'dies-early') process.exit(4);
  } else if (method === 'textDocument/didOpen') {
    opened = params.textDocument;
    const {uri, version} = opened;
    if (mode !== 'pushes') return;
    send({method: 'textDocument/publishDiagnostics', params: {uri, version: version + 7, diagnostics: []}});
    send({method: 'textDocument/publishDiagnostics', params: {uri, version, diagnostics: problems(opened.text)}});
  } else if (method === 'textDocument/diagnostic' || method === 'textDocument/references') {
    if (misdeeds[mode]) misdeeds[mode](message);
    else send({id, result: {items: problems(opened.text)}});
  }
}

process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(rest.toString('latin1', 0, end))[1]);
    if (rest.length < end + 4 + length) return;
    const body = rest.toString('utf8', end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    answer(JSON.parse(body));
  }
});
process.stdin.on('end', () => process.exit(0));
