import {expect, test} from '@jest/globals';
import {readSettingsSchema} from '../helpers/settings-schema.js';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every key that holds a value rather than more keys. */
function listKeys({properties = {}}: Schema, at = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    Object.keys(schema.properties ?? {}).length > 0 ? listKeys(schema, `${at}${name}.`) : [`${at}${name}`],
  );
}

test('the settings have this many keys in these groups [surface.pinned]', async () => {
  const schema = (await readSettingsSchema()) as Schema;
  const counts = new Map<string, number>();
  for (const key of listKeys(schema)) {
    const [group = ''] = key.split('.');
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({
    $schema: 1,
    admin: 6,
    adminPolicyPaths: 1,
    advanced: 5,
    agents: 10,
    billing: 3,
    catalogs: 2,
    code: 2,
    context: 15,
    contextManagement: 10,
    experimental: 28,
    extensions: 3,
    general: 25,
    web: 10,
    hooks: 11,
    hooksConfig: 4,
    ide: 2,
    learning: 3,
    mcp: 4,
    mcpServers: 1,
    model: 13,
    modelConfigs: 8,
    openai: 4,
    output: 1,
    policyPaths: 1,
    privacy: 1,
    security: 20,
    skills: 2,
    telemetry: 11,
    tools: 29,
    ui: 43,
    useWriteTodos: 1,
  });
});
