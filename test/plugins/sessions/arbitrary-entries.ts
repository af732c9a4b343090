import type {Part} from '@gemini-kernel/kernel';
import type {CallRecord, Entry, Piece} from '@gemini-kernel/plugin-agent/contract';
import fc from 'fast-check';

const text = fc.oneof(
  fc.string({unit: 'binary', maxLength: 30}),
  fc.constantFrom('', '\u2028\u2029', '<session_context>x', '/help', '**Subject** why', '\\n"'),
);
const json = fc.jsonValue({maxDepth: 2}).map((value): unknown => JSON.parse(JSON.stringify(value)));
const optional = <T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.option(value, {nil: undefined}).map((one) => (one === undefined ? {} : {[key]: one}));
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);
const part: fc.Arbitrary<Part> = fc.oneof(
  text.map((one) => ({text: one})),
  fc.constant({inlineData: {mimeType: 'image/png', data: 'AAAA'}}),
);
const output = fc.array(part, {maxLength: 3});
const input = fc.oneof(
  fc.dictionary(fc.string({maxLength: 5}), json, {maxKeys: 3}).map((one): unknown => JSON.parse(JSON.stringify(one))),
  json,
  fc.constant(undefined),
);
const signature = optional('signature', fc.base64String({maxLength: 12}));

const piece: fc.Arbitrary<Piece> = fc.oneof(
  merged(fc.record({kind: fc.constantFrom('text', 'thought'), text}), signature),
  fc.record({
    kind: fc.constant('data'),
    mimeType: fc.constant('application/pdf'),
    data: fc.base64String({maxLength: 12}),
  }),
  merged(
    fc.record({kind: fc.constant('call'), id: fc.uuid(), name: fc.constantFrom('read_file', 'x'), input}),
    signature,
  ),
  fc.record({
    kind: fc.constant('result'),
    id: fc.uuid(),
    name: fc.constantFrom('read_file', 'x'),
    output,
    failed: fc.boolean(),
  }),
) as fc.Arbitrary<Piece>;

const time = fc.integer({min: 0, max: 4e12}).map((ms) => new Date(ms).toISOString());
const count = fc.nat(1000);
const call = merged(
  fc.record({
    id: fc.uuid(),
    name: fc.constant('x'),
    input,
    status: fc.constantFrom('done', 'failed', 'refused', 'aborted'),
    output,
    ms: fc.nat(1000),
    time,
  }),
  optional('display', text),
  optional('error', fc.record({code: text, message: text})),
) as fc.Arbitrary<CallRecord>;

const severity = optional('severity', fc.constantFrom('info', 'warning', 'error'));
const model = merged(
  optional('model', fc.string({minLength: 1, maxLength: 5})),
  optional('calls', fc.array(call, {maxLength: 3})),
  optional(
    'usage',
    fc.record({input: count, output: count, cached: count, thoughts: count, tool: count, total: count}),
  ),
);
const origin = optional('origin', fc.constantFrom('person', 'tools', 'agent'));
const shared = merged(fc.record({id: fc.uuid(), time}), optional('shown', text));
const message = fc.record({
  message: fc.record({role: fc.constantFrom('user', 'model'), pieces: fc.array(piece, {maxLength: 4})}),
});

/** Entries as no sensible agent makes them, too. */
export const anyEntry = fc.oneof(
  merged(shared, message, origin, fc.constant({kind: 'user'})),
  merged(shared, message, model, origin, fc.constant({kind: 'model'})),
  merged(shared, message, severity, fc.constant({kind: 'note'})),
) as fc.Arbitrary<Entry>;
