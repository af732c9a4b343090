import {expect, test} from '@jest/globals';
import {findViolations} from '@gemini-kernel/kernel/host';
import {readSettingsSchema} from '../../helpers/settings-schema.js';

interface Node {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node;
  readonly 'x-merge'?: string;
  readonly 'x-env'?: string | readonly string[];
}

const schema = (await readSettingsSchema()) as Node & Record<string, unknown>;

function keysOf({properties = {}}: Node, path: readonly string[] = []): readonly (readonly [string, Node])[] {
  return Object.entries(properties).flatMap(([key, child]) => [
    [[...path, key].join('.'), child] as const,
    ...keysOf(child, [...path, key]),
  ]);
}
const keys = keysOf(schema);

test('every key has a type and a description [settings.schema]', () => {
  expect(keys.filter(([, {type, description}]) => !type || !description).map(([key]) => key)).toEqual([]);
});

test('every default fits its own schema [settings.schema]', async () => {
  const defaults = keys.filter(([, node]) => node.default !== undefined);
  const faults = await Promise.all(
    defaults.map(([key, node]) => findViolations(node as Record<string, unknown>, node.default, key)),
  );
  expect([defaults.length > 150, faults.flat()]).toEqual([true, []]);
});

test('the keys whose layers do more than replace are these', () => {
  const merges = keys.filter(([, node]) => node['x-merge']).map(([key, node]) => `${key} ${node['x-merge']}`);
  expect(merges.filter((line) => !line.startsWith('hooks.'))).toEqual([
    'context.includeDirectories concat',
    'context.fileFiltering.customIgnoreFilePaths union',
    'tools.exclude union',
    'tools.sandboxPrograms union',
    'mcp.excluded concat',
    'mcpServers shallow',
    'security.isolatedPlugins union',
    'security.pluginGrants union',
    'advanced.excludedEnvVars union',
    'extensions.disabled union',
    'extensions.workspacesWithMigrationNudge union',
    'skills.disabled union',
    'hooksConfig.disabled union',
    'policyPaths union',
    'adminPolicyPaths union',
    'web.privateHosts union',
    'catalogs.sources concat',
  ]);
  const events = [
    'SessionStart',
    'SessionEnd',
    'BeforeAgent',
    'AfterAgent',
    'BeforeModel',
    'AfterModel',
    'BeforeToolSelection',
    'BeforeTool',
    'AfterTool',
    'PreCompress',
    'Notification',
  ];
  expect(merges.filter((line) => line.startsWith('hooks.'))).toEqual(events.map((event) => `hooks.${event} concat`));
});

test('the keys that variables set are these', () => {
  expect(Object.fromEntries(keys.flatMap(([key, node]) => (node['x-env'] ? [[key, node['x-env']]] : [])))).toEqual({
    'telemetry.enabled': 'GEMINI_TELEMETRY_ENABLED',
    'telemetry.target': 'GEMINI_TELEMETRY_TARGET',
    'telemetry.otlpEndpoint': ['GEMINI_TELEMETRY_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    'telemetry.otlpProtocol': 'GEMINI_TELEMETRY_OTLP_PROTOCOL',
    'telemetry.traces': 'GEMINI_TELEMETRY_TRACES_ENABLED',
    'telemetry.logPrompts': 'GEMINI_TELEMETRY_LOG_PROMPTS',
    'telemetry.outfile': 'GEMINI_TELEMETRY_OUTFILE',
    'telemetry.useCollector': 'GEMINI_TELEMETRY_USE_COLLECTOR',
    'telemetry.useCliAuth': 'GEMINI_TELEMETRY_USE_CLI_AUTH',
    'model.name': 'GEMINI_MODEL',
    'experimental.extensionRegistryURI': 'GEMINI_CLI_EXTENSION_REGISTRY_URI',
  });
});

test.each<[string, unknown, readonly string[]]>([
  ['accepts unknown keys anywhere', {mine: 1, ui: {mine: 1}, hooks: {Mine: []}}, []],
  ['accepts one context file name or several', {context: {fileName: ['A.md']}}, []],
  ['accepts each form of sandbox', {tools: {sandbox: {enabled: true}}}, []],
  ['refuses a wrong type', {ui: {hideTips: 'no'}}, ['settings.ui.hideTips must be boolean, not "no".']],
])('%s', async (_, value, faults) => {
  expect(await findViolations(schema, value, 'settings')).toEqual(faults);
});
