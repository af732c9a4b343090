// The client that the conformance suite runs: this program's own MCP plugin, with a person who agrees to everything.
// The suite gives the address of its server as the last word, and the scenario in variables.
import {join} from 'node:path';
import type {Form, FormReply, FormValues, ToolInfo} from '@gemini-kernel/kernel';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';

type Table = Readonly<Record<string, unknown>>;

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Table;
const browser = join(checkout, 'test', 'fixtures', 'mcp', 'browser.mjs');

/** What a person would write into the settings for this server, from what the scenario gives. */
function oauthFor(): Table {
  const {client_id: clientId, client_secret: clientSecret} = context;
  if (scenario === 'auth/basic-cimd') return {clientMetadataUrl: 'https://conformance-test.local/client-metadata.json'};
  if (scenario === 'auth/wif-jwt-bearer') return {grantType: 'jwt-bearer', assertion: context['valid_jwt']};
  if (scenario.startsWith('auth/dpop')) return {dpop: true};
  if (context['private_key_pem'] !== undefined)
    return {
      grantType: 'client_credentials',
      clientId,
      privateKey: context['private_key_pem'],
      algorithm: context['signing_algorithm'],
    };
  if (context['idp_id_token'] !== undefined)
    return {
      grantType: 'jwt-bearer',
      clientId,
      clientSecret,
      identityProvider: {
        issuer: context['idp_issuer'],
        tokenUrl: context['idp_token_endpoint'],
        clientId: context['idp_client_id'],
        idToken: context['idp_id_token'],
      },
    };
  if (clientId === undefined) return {};
  const {issuer} = context;
  const grant = scenario.includes('client-credentials') ? {grantType: 'client_credentials'} : {};
  return {...grant, clientId, clientSecret, ...(issuer === undefined ? {} : {issuer})};
}

/** The arguments that a scenario expects; without any, values that fit the schema. */
function inputFor({name, input}: ToolInfo): Table {
  if (name.endsWith('add_numbers')) return {a: 5, b: 3};
  const {properties = {}, required = []} = input as {properties?: Table; required?: readonly string[]};
  const samples: Table = {string: 'text', number: 1, integer: 1, boolean: true, array: [], object: {}};
  const calls = (context['toolCalls'] ?? []) as readonly {readonly name: string; readonly arguments: Table}[];
  const given = calls.find((call) => name.endsWith(call.name))?.arguments;
  // A model that follows the schema leaves out what it has no value for.
  if (given) return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return Object.fromEntries(
    required.map((key) => [key, samples[String((properties[key] as Table | undefined)?.['type'] ?? 'string')]]),
  );
}

/** Takes every default, and says yes where there is none. */
function agree({fields}: Form): FormReply {
  const values: FormValues = Object.fromEntries(
    fields.map((field) => [field.name, field.default ?? (field.kind === 'yes-no' ? true : '')]),
  );
  return {outcome: 'answered', values};
}

/** Calls every tool. A server that gives back a schema gets the one of its other tool. */
async function callAll(kernel: TestKernel, tools: readonly ToolInfo[]): Promise<void> {
  const [first] = tools;
  const isEcho = scenario === 'json-schema-2020-12-preservation';
  for (const tool of isEcho ? tools.slice(1) : tools) {
    const outcome = await kernel.call(tool.name, isEcho ? {schema: first?.input} : inputFor(tool));
    if (outcome.status !== 'done') console.error(`${tool.name}: ${JSON.stringify(outcome)}`);
  }
}

async function run(): Promise<void> {
  const entry = {httpUrl: url, timeout: 20_000, oauth: oauthFor()};
  await using kernel = await createTestKernel({
    confirm: 'yes',
    answer: agree,
    plugins: ['settings', 'trust', 'env', 'network', 'workspace', 'mcp'].map(pluginRoot),
    homeFiles: {'.gemini/settings.json': JSON.stringify({mcpServers: {suite: entry}})},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', BROWSER: `${process.execPath} ${browser}`},
  });
  const list = async (): Promise<readonly ToolInfo[]> =>
    (await kernel.session.tools()).filter(({server}) => server !== undefined);
  const tools = await list();
  await callAll(kernel, tools);
  for (const warning of kernel.warnings) console.error(warning);
}

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
