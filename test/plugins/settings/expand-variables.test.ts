import {expect, test} from '@jest/globals';
import {expandVariables} from '#plugins/settings/dist/expand-variables.js';

const variables = {NAME: 'value', OTHER: 'two', EMPTY: '', 'ProgramFiles(x86)': 'C:\\P', DOLLAR: '$NAME'};

test.each<[string, unknown, unknown]>([
  ['a bare name', '$NAME', 'value'],
  ['a name in braces', 'a${NAME}b', 'avalueb'],
  ['several names', '$NAME/$OTHER', 'value/two'],
  ['the default of a name that is not set', '${MISSING:-fallback}', 'fallback'],
  ['an empty default', 'x${MISSING:-}y', 'xy'],
  ['a name that is set before its default', '${NAME:-fallback}', 'value'],
  ['an empty variable before the default', '${EMPTY:-fallback}', ''],
  ['a name that is not set: nothing', '$MISSING and ${MISSING}', '$MISSING and ${MISSING}'],
  ['a bare name ends where letters, digits and _ end', '$NAME-x $NAMEX', 'value-x $NAMEX'],
  ['names with other characters, in braces', '${ProgramFiles(x86)}', 'C:\\P'],
  ['a value is not expanded again', '$DOLLAR', '$NAME'],
  ['names of a prototype are not set', '$constructor ${toString}', '$constructor ${toString}'],
  [
    'strings in lists and objects, not keys',
    {$NAME: ['$NAME', 1, null, {deep: '$OTHER'}]},
    {$NAME: ['value', 1, null, {deep: 'two'}]},
  ],
  ['a lone dollar', 'costs 5$', 'costs 5$'],
])('expands %s [settings.variables]', (_, value, expected) => {
  expect(expandVariables(value, variables)).toEqual(expected);
});

test('drops a key that would be a prototype', () => {
  const expanded = expandVariables(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'), variables);
  expect([expanded, Object.hasOwn(expanded as object, '__proto__'), ({} as {polluted?: boolean}).polluted]).toEqual([
    {a: 1},
    false,
    undefined,
  ]);
});
