import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every key that holds a value rather than more keys. */
function listKeys({properties = {}}: Schema, at = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => (Object.keys(schema.properties ?? {}).length > 0 ? listKeys(schema, `${at}${name}.`) : [`${at}${name}`]));
}

test('the settings have this many keys in these groups [surface.pinned]', async () => {
  const schema = JSON.parse(await readFile(join(checkout, 'manifests', 'schemas', 'settings.schema.json'), 'utf8')) as Schema;
  const counts = new Map<string, number>();
  for (const key of listKeys(schema)) counts.set(key.split('.')[0]!, (counts.get(key.split('.')[0]!) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({});
});
