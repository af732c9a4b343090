import {expect, test} from '@jest/globals';
import * as files from '@gemini-kernel/files';
import * as writing from '@gemini-kernel/files/writing';
import * as host from '@gemini-kernel/kernel/host';
import * as author from '@gemini-kernel/kernel';
import * as admission from '@gemini-kernel/admission';
import * as admissionErrors from '@gemini-kernel/admission/errors';
import * as start from '@gemini-kernel/admission/start';
import * as command from '@gemini-kernel/command';
import * as commandErrors from '@gemini-kernel/command/errors';
import * as lines from '@gemini-kernel/command/lines';
import * as visible from '@gemini-kernel/command/visible';
import * as sdk from '@gemini-kernel/sdk';
import * as geminiCli from '@gemini-kernel/sdk/gemini-cli';
import * as sdkErrors from '@gemini-kernel/sdk/errors';
import * as testing from '@gemini-kernel/kernel/testing';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {listPlugins, readBuiltManifest, readErrorTables} from '../helpers/error-tables.js';
import {checkout} from '../helpers/plugin-root.js';
import {readSources} from '../helpers/sources.js';

/** Budgets of lines. They change with a decision record: docs/decisions/0045, 0118 to 0121, 0134 and 0156 have them. */
const budgets: readonly (readonly [string, readonly string[], number])[] = [
  ['the contract of the kernel', ['kernel/src/contract/'], 1512],
  ['the kernel above its contract', ['kernel/src/'], 3671],
  ['admission', ['kernel/admission/src/'], 1775],
  ['command', ['kernel/command/src/'], 354],
];

test.each([
  [
    '.',
    author,
    [
      'KernelError',
      'ToolError',
      'brandOf',
      'decisions',
      'defineFlag',
      'defineHook',
      'defineSetting',
      'defineSettings',
      'defineTool',
      'distanceBetween',
      'fieldFault',
      'fillForm',
      'findNearest',
      'isKernelError',
      'isToolError',
      'listen',
      'markForeign',
      'messageOf',
      'provide',
      'resultSchema',
      'subjectOf',
    ],
  ],
  [
    './host',
    host,
    [
      'KERNEL',
      'KERNEL_VERSION',
      'boot',
      'brandOf',
      'brokenPlugin',
      'capabilityOf',
      'createCatalog',
      'createLiveCatalog',
      'declaredPath',
      'findFilterFault',
      'findUndeclared',
      'findViolations',
      'formSchema',
      'includesCapability',
      'kernelErrors',
      'kernelHooks',
      'knownSchemas',
      'messageOf',
      'resultSchema',
      'satisfies',
      'sourcedToolSchema',
      'useValidators',
      'writeValidators',
    ],
  ],
  [
    'admission',
    admission,
    [
      'BUNDLE_MEMORY',
      'SIGNATURE_FILE',
      'bundleSignersOf',
      'checkOwner',
      'describeSource',
      'digestOf',
      'durationOf',
      'findBlocked',
      'findRefusal',
      'findRuleFault',
      'findSignatureFault',
      'hashTree',
      'isReserved',
      'lendPackages',
      'listTree',
      'markManaged',
      'matchesSource',
      'mustProve',
      'namesContent',
      'normaliseLocation',
      'parseSignature',
      'readAppliedBundle',
      'readBundleMemory',
      'readLock',
      'readManagedRules',
      'readManifest',
      'readNoted',
      'ruleFor',
      'signPackage',
      'signText',
      'signedBundleText',
      'storeName',
      'verifyAlone',
      'verifyPackage',
      'verifyTree',
    ],
  ],
  [
    'admission/start',
    start,
    [
      'checkOwner',
      'findExpired',
      'findFolderFault',
      'findPlaces',
      'findRefusal',
      'findSettingFaults',
      'isInside',
      'isReserved',
      'lendPackages',
      'markManaged',
      'mustProve',
      'readLock',
      'readManagedRules',
      'readManifest',
      'storeName',
      'verifyTree',
    ],
  ],
  ['admission/errors', admissionErrors, ['admissionErrors']],
  ['command', command, ['KernelCommand']],
  ['command/errors', commandErrors, ['commandErrors']],
  ['command/lines', lines, ['introOf', 'linesOf', 'markKey', 'promptOf', 'readField']],
  ['command/visible', visible, ['makeVisible', 'quoteName', 'revealHidden']],
  ['sdk', sdk, ['KernelError', 'ToolError', 'createAgent', 'defineTool', 'isKernelError']],
  ['sdk/gemini-cli', geminiCli, ['GeminiCliAgent', 'GeminiCliSession', 'ModelVisibleError', 'skillDir', 'tool']],
  ['sdk/errors', sdkErrors, ['sdkErrors']],
  ['./testing', testing, ['createTestKernel', 'readPlugin']],
])('the kernel exports from %s exactly what is pinned here [surface.pinned]', (_, module, names) => {
  expect(Object.keys(module).sort()).toEqual(names);
});

test('the package of files exports exactly what is pinned here [surface.pinned]', async () => {
  expect(Object.keys(files).sort()).toEqual([
    'FileFault',
    'appendPrivateFile',
    'appendPrivateFileSync',
    'createPrivateFile',
    'findForeignOwner',
    'findForeignWriter',
    'isAbsent',
    'isFileFault',
    'makePrivateFolder',
    'makePrivateFolderSync',
    'openRegularSync',
    'openToAppend',
    'readHeadTable',
    'readOpenedSync',
    'readRegular',
    'readRegularSync',
    'readText',
    'readTextSync',
    'splitFrontMatter',
  ]);
  expect(Object.keys(writing).sort()).toEqual([
    'claimName',
    'findNameFault',
    'isDueToday',
    'isHeld',
    'isProcess',
    'isSelf',
    'machineMark',
    'ownerOfLock',
    'releaseLock',
    'sweepBeside',
    'sweepFolder',
    'sweepLock',
    'takeLock',
    'writeAtomically',
    'writeHint',
    'writerMark',
  ]);
});

/** What an agent of the SDK is made of: the product without interfaces, servers, editors and tools of development. */
const sdkPlugins = [
  ...['agent', 'ask', 'code', 'context', 'custom-commands', 'directories', 'env', 'extensions', 'filesystem', 'hooks'],
  ...['mcp', 'memory', 'model-gemini', 'model-openai', 'network', 'plan', 'policy', 'sandbox', 'search', 'secrets'],
  ...['sessions', 'settings', 'shell', 'skills', 'subagents', 'telemetry', 'todos', 'trust', 'web', 'workspace'],
];

test.each([
  ['kernel', ['.', './host', './testing'], ['ajv'], []],
  [
    'kernel/admission',
    ['.', './contract', './errors', './start', './elsewhere', './modules'],
    ['@gemini-kernel/files', '@gemini-kernel/kernel'],
    [],
  ],
  ['kernel/command', ['.', './errors', './lines', './visible'], [], ['@gemini-kernel/kernel', '@oclif/core']],
  ['kernel/files', ['.', './addresses', './sealed', './sources', './writing'], [], []],
  ['kernel/processes', ['.'], [], []],
  [
    'kernel/sdk',
    ['.', './gemini-cli', './errors'],
    [
      ...['admission', 'command', 'files', 'kernel', 'manifests'].map((name) => `@gemini-kernel/${name}`),
      ...sdkPlugins.map((name) => `@gemini-kernel/plugin-${name}`),
      '@oclif/core',
    ],
    [],
  ],
  ['kernel/terminal', ['.'], ['@gemini-kernel/files', 'string-width'], ['@gemini-kernel/command']],
])('%s has the entry points and needs the packages pinned here [kernel.dependencies]', async (folder, ...expected) => {
  const text = await readFile(join(checkout, folder, 'package.json'), 'utf8');
  const {exports, dependencies, peerDependencies} = JSON.parse(text) as Record<string, object>;
  const [entries = [], ...needs] = [exports, dependencies, peerDependencies].map((one) => Object.keys(one ?? {}));
  expect([entries.filter((entry) => entry !== './package.json'), ...needs]).toEqual(expected);
});

test.each(budgets)('%s stays small [kernel.small]', async (name, folders, most) => {
  const isAbove = name === 'the kernel above its contract';
  // What plugin authors test with is not what runs.
  const running = [...(await readSources(folders, '.ts'))].filter(
    ([path]) => !path.startsWith('kernel/src/testing/') && !(isAbove && path.startsWith('kernel/src/contract/')),
  );
  expect(running.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0)).toBeLessThanOrEqual(most);
});

test('these moments exist, each of its kind [surface.pinned]', async () => {
  const manifests = await Promise.all((await listPlugins()).map(readBuiltManifest));
  const moments = [...host.kernelHooks, ...manifests.flatMap(({hooks}) => hooks)].map(({name, kind}) => [name, kind]);
  expect(Object.fromEntries(moments)).toEqual({
    'session:begin': 'transform',
    'session:open': 'notify',
    'session:close': 'notify',
    'session:mode': 'transform',
    'session:notice': 'collect',
    'person:ask': 'race',
    'capability:ask': 'race',
    'sources:changed': 'notify',
    'tools:offer': 'transform',
    'tool:input': 'transform',
    'tool:judge': 'gate',
    'tool:choices': 'collect',
    'tool:confirm': 'race',
    'tool:confirmed': 'transform',
    'tool:approved': 'notify',
    'tool:run': 'wrap',
    'tool:result': 'transform',
    'tool:end': 'notify',
    'changes:collect': 'collect',
    'compression:prepare': 'transform',
    'context:collect': 'collect',
    'history:change': 'notify',
    'history:compress': 'first',
    'history:fit': 'first',
    'history:load': 'first',
    'instruction:compose': 'transform',
    'model:end': 'notify',
    'model:request': 'transform',
    'model:response': 'transform',
    'prompt:end': 'notify',
    'prompt:submit': 'gate',
    'trust:doubt': 'gate',
    'turn:end': 'gate',
    'hook:end': 'notify',
    'sandbox:connection': 'notify',
    'settings:project': 'gate',
    'workspace:changed': 'notify',
  });
});

test('these services are offered in these versions [surface.pinned]', async () => {
  const manifests = await Promise.all((await listPlugins()).map(readBuiltManifest));
  expect(
    manifests.flatMap(({name, services}) =>
      services.map((service) => [name, service.name, service.version, service.scope]),
    ),
  ).toEqual([
    ['@gemini-kernel/plugin-a2a', 'a2a-clients', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-a2a', 'remote-agents', '1.2.0', 'session'],
    ['@gemini-kernel/plugin-a2a', 'task-store:files', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-acp', 'acp-clients', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-acp', 'mcp-servers:acp', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-agent', 'agent', '1.7.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'call-times', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'conversations', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-agent', 'run-notices', '1.1.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'slash-commands', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'update-notice', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'view:keys', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'view:model', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'view:settings', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-agent', 'view:stats', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-ask', 'questions', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-bundles', 'builds', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-bundles', 'catalogs', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-code', 'code-index', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-code', 'code-servers', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-code', 'code', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-console', 'ui:console', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-context', 'history-graph', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-custom-commands', 'commands:custom', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-custom-commands', 'custom-commands', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-custom-commands', 'mcp-prompts:custom', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-directories', 'view:directory', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-doctor', 'journal', '1.1.0', 'place'],
    ['@gemini-kernel/plugin-env', 'variables', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-evals', 'eval-variant', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'agent-folders:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'command-folders:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'context:extensions', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-extensions', 'extension-updates', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-extensions', 'extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'hook-sources:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'mcp-servers:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'plan-folders:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'rules:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'skill-folders:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'themes:extensions', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-extensions', 'view:extensions', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-filesystem', 'versions', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-fleet', 'fleet-worker', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-fleet', 'queue:local', '1.0.0', 'program'],
    ['@gemini-plugins/fleet-bullmq', 'queue:bullmq', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-hooks', 'guards:hooks', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-hooks', 'hooks', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-hooks', 'view:hooks', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-ide', 'editor-context', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-ide', 'ide', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-isolation', 'isolation', '1.1.0', 'place'],
    ['@gemini-kernel/plugin-isolation', 'plugin-grants', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-isolation', 'processes:isolation', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-learning', 'inbox', '1.1.0', 'session'],
    ['@gemini-kernel/plugin-learning', 'learning', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-learning', 'view:inbox', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp', 'commands:mcp', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp', 'context:mcp', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp', 'mcp-choice', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp', 'mcp', '1.1.0', 'place'],
    ['@gemini-kernel/plugin-mcp', 'mentions:mcp', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp', 'other-logins', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-mcp', 'tools:mcp', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp', 'view:mcp', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp-server', 'mcp-client', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-mcp-server', 'mcp-clients', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-memory', 'memory', '1.1.0', 'session'],
    ['@gemini-kernel/plugin-memory', 'view:memory', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-model-gemini', 'model:gemini', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-model-gemini', 'web-search:gemini', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-model-openai', 'model:openai', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-model-replay', 'model:replay', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-model-replay', 'recordings', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-network', 'network', '2.1.0', 'place'],
    ['@gemini-kernel/plugin-plan', 'plans', '1.1.0', 'session'],
    ['@gemini-kernel/plugin-policy', 'default-rules', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-policy', 'place-rules', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-policy', 'policy', '1.2.0', 'session'],
    ['@gemini-kernel/plugin-policy', 'sandbox-modes', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-policy', 'session-approvals', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-policy', 'view:permissions', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-sandbox', 'enclosure:sandbox', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-sandbox', 'sandbox', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-search', 'files', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-search', 'search', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-secrets', 'secrets', '1.2.0', 'place'],
    ['@gemini-kernel/plugin-sessions', 'checkpoints', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-sessions', 'current-prompts', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-sessions', 'recording', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-sessions', 'sessions', '1.2.0', 'session'],
    ['@gemini-kernel/plugin-sessions', 'view:resume', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-sessions', 'view:rewind', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-settings', 'config-files', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-settings', 'settings', '1.1.0', 'place'],
    ['@gemini-kernel/plugin-shell', 'processes', '1.1.0', 'session'],
    ['@gemini-kernel/plugin-shell', 'view:shells', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-skills', 'commands:skills', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-skills', 'context:skills', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-skills', 'skill-folders:bundles', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-skills', 'skills', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-skills', 'tools:skills', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-skills', 'view:skills', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'context:subagents', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'enclosure:worktree', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'mcp-servers:subagents', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-subagents', 'mentions:subagents', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'running-agents', '1.0.0', 'program'],
    ['@gemini-kernel/plugin-subagents', 'subagents', '1.2.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'tools:subagents', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'view:agents', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-subagents', 'worktrees', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-telemetry', 'telemetry', '1.1.0', 'place'],
    ['@gemini-kernel/plugin-todos', 'todos', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-todos', 'tracker', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-tools', 'view:tools', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-trust', 'trust', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-tui', 'ui:terminal', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-tui', 'view:footer', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-web', 'finder', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-web', 'web', '1.0.0', 'session'],
    ['@gemini-kernel/plugin-workspace', 'buffers', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-workspace', 'project', '1.0.0', 'place'],
    ['@gemini-kernel/plugin-workspace', 'workspace', '1.1.0', 'session'],
  ]);
});

test('these flags set these settings', async () => {
  const manifests = await Promise.all((await listPlugins()).map(readBuiltManifest));
  expect(
    manifests.flatMap(({flags}) =>
      flags.map(({name, type, char, multiple, setting, value}) => [
        name,
        type,
        setting,
        ...[char, multiple && 'many', value].filter((one) => one !== undefined),
      ]),
    ),
  ).toEqual([
    ['model', 'string', 'model.name', 'm'],
    ['answers', 'string', 'questions.answers'],
    ['frozen', 'boolean', 'plugins.frozen'],
    ['screen-reader', 'boolean', 'ui.accessibility.screenReader'],
    ['extensions', 'string', 'extensions.only', 'e', 'many'],
    ['allowed-mcp-server-names', 'string', 'mcp.allowed', 'many'],
    ['fake-responses', 'string', 'model.fakeResponses'],
    ['record-responses', 'string', 'model.recordResponses'],
    ['admin-policy', 'string', 'adminPolicyPaths', 'many'],
    ['allowed-tools', 'string', 'tools.allowed', 'many'],
    ['approval-mode', 'string', 'general.defaultApprovalMode'],
    ['policy', 'string', 'policyPaths', 'many'],
    ['require-guards', 'boolean', 'security.requireGuards'],
    ['yolo', 'boolean', 'general.defaultApprovalMode', 'y', 'yolo'],
    ['sandbox', 'boolean', 'tools.sandbox', 's'],
    ['resume', 'string', 'session.resume', 'r'],
    ['session-file', 'string', 'session.file'],
    ['session-id', 'string', 'session.id'],
    ['wait', 'string', 'session.wait'],
    ['worktree', 'string', 'worktree.name', 'w'],
    ['skip-trust', 'boolean', 'security.folderTrust.enabled', false],
    ['include-directories', 'string', 'context.includeDirectories', 'many'],
  ]);
});

test('every code ends a command with exit code 1, but for these [errors.exit-codes]', async () => {
  const tables = await readErrorTables();
  const special = [...tables.values()].flatMap((table) =>
    Object.entries(table).flatMap(([code, {exit = 1}]) => (exit === 1 ? [] : [[code, exit] as const])),
  );
  expect(Object.fromEntries(special)).toEqual({
    ACP_AUTH_MISSING: 41,
    ACP_INVALID: 42,
    CONTEXT_NODE_UNKNOWN: 42,
    CONTEXT_UNCONFIRMED: 42,
    AGENT_EXISTS: 42,
    AGENT_INVALID: 42,
    AGENT_NO_LOGIN: 42,
    AGENT_UNKNOWN: 42,
    WORKTREE_IN_USE: 42,
    WORKTREE_NAME: 42,
    WORKTREE_UNKNOWN: 42,
    ANSWERS_UNREADABLE: 42,
    ANSWER_MISFIT: 58,
    ARGUMENTS_UNREADABLE: 42,
    BUNDLE_EXPIRED: 52,
    BUNDLE_INVALID: 42,
    BUNDLE_KEY_UNUSABLE: 42,
    BUNDLE_REFUSED: 52,
    BUNDLE_REPLAYED: 52,
    BUNDLE_TAMPERED: 52,
    BUNDLE_UNFIT: 52,
    BUNDLE_UNKNOWN: 42,
    BUNDLE_UNREADABLE: 42,
    BUNDLE_UNTRUSTED: 52,
    CALLS_REFUSED: 56,
    CALL_FORGOTTEN: 42,
    CALL_UNCLEAR: 42,
    CATALOG_UNKNOWN: 42,
    CHECKPOINT_UNKNOWN: 42,
    COMMAND_INPUT_INVALID: 42,
    COMMAND_UNKNOWN: 127,
    COMPANION_UNKNOWN: 42,
    CONVERSATION_NEEDED: 42,
    BUG_ADDRESS_INVALID: 52,
    FOOTER_UNCLEAR: 42,
    QUEUE_ADDRESS_INVALID: 42,
    QUEUE_UNSAFE: 42,
    FOOTER_UNKNOWN: 42,
    COPY_EMPTY: 42,
    COST_EXHAUSTED: 53,
    COST_UNKNOWN: 42,
    CUSTOM_COMMAND_EXISTS: 42,
    CUSTOM_COMMAND_INVALID: 42,
    CUSTOM_COMMAND_REFUSED: 56,
    CUSTOM_COMMAND_UNKNOWN: 42,
    CWD_MISSING: 42,
    DIRECTORY_MISSING: 42,
    DIRECTORY_NOT_A_DIRECTORY: 42,
    DIRECTORY_NOT_KEPT: 42,
    DIRECTORY_UNNAMED: 42,
    DIRECTORY_UNREADABLE: 42,
    EVAL_FLAG_INVALID: 42,
    EVAL_INVALID: 42,
    EVAL_RUN_BUSY: 42,
    EVAL_RUN_UNKNOWN: 42,
    EVAL_RUN_UNREADABLE: 42,
    EVAL_UNKNOWN: 42,
    EVAL_TASK_OTHER: 42,
    EVAL_UNTRUSTED: 55,
    EVAL_VARIANT_INVALID: 42,
    FLEET_PLAN_INVALID: 42,
    FLEET_TOKENS_EXHAUSTED: 53,
    FLEET_UNKNOWN: 42,
    FLEET_UNREADABLE: 42,
    QUEUE_ABSENT: 42,
    QUEUE_BUSY: 42,
    QUEUE_TASK_INVALID: 42,
    QUEUE_UNREADABLE: 42,
    EXPORT_FORMAT_UNKNOWN: 42,
    FOLDER_UNTRUSTED: 55,
    GUARDS_UNPROVEN: 52,
    HOME_FOREIGN: 52,
    HOME_MISSING: 42,
    HOOK_IMPORT_FAILED: 42,
    HOOK_INPUT_INVALID: 42,
    HOOK_UNKNOWN: 42,
    HOOK_UNTRUSTED: 55,
    IDE_UNKNOWN: 42,
    INBOX_UNKNOWN: 42,
    INSTALLS_UNRELIABLE: 52,
    INSTALL_FORBIDDEN: 52,
    INSTALL_SPEC_INVALID: 42,
    LIMIT_INVALID: 42,
    LOCK_UNREADABLE: 52,
    MANAGED_UNMET: 52,
    MODE_UNKNOWN: 42,
    MCP_SERVER_INVALID: 42,
    MCP_SERVER_UNKNOWN: 42,
    MCP_SERVE_INVALID: 42,
    MODEL_AUTH: 41,
    MODEL_BLOCKED: 59,
    MODEL_LOOPING: 57,
    MODEL_OVERLOADED: 61,
    MODEL_QUOTA: 60,
    MODEL_UNKNOWN: 42,
    MODEL_UNREACHABLE: 62,
    NEOVIM_UNREACHABLE: 42,
    PLAN_DIRECTORY_OUTSIDE: 42,
    PLAN_DISABLED: 42,
    PLAN_NEEDS_CONVERSATION: 42,
    PLUGIN_FOLDER_OCCUPIED: 42,
    PLUGIN_NAME_INVALID: 42,
    PLUGIN_NOT_INSTALLED: 42,
    PLUGIN_UNKNOWN: 42,
    PLUGIN_UNISOLATED: 44,
    POLICY_ADMIN_BROKEN: 52,
    POLICY_ADMIN_UNSAFE: 52,
    POLICY_BROKEN: 52,
    POLICY_CASES_INVALID: 42,
    POLICY_UNREADABLE: 42,
    PROMPT_ARGUMENTS_WRONG: 42,
    PROMPT_EMPTY: 42,
    PROMPT_FILE_INVALID: 42,
    PROMPT_FILE_UNREADABLE: 42,
    PROMPT_REFUSED: 56,
    PROMPT_UNKNOWN: 42,
    PEER_SERVE_INVALID: 42,
    PEER_TOKEN_INVALID: 42,
    REMOTE_CARD_INVALID: 42,
    PROXY_INVALID: 42,
    PROXY_UNSUPPORTED: 42,
    RECORDING_UNREADABLE: 42,
    RECORDING_UNWRITABLE: 42,
    RESUME_NEEDS_CONVERSATION: 42,
    RUN_CANCELLED: 130,
    RUN_HUNG_UP: 129,
    RUN_INTERRUPTED: 130,
    RUN_TERMINATED: 143,
    SANDBOX_GRANT_INVALID: 42,
    SANDBOX_OPTION_INVALID: 44,
    SANDBOX_ROOT_TOO_WIDE: 44,
    SANDBOX_UNAVAILABLE: 44,
    SANDBOX_UNKNOWN: 44,
    SCHEMA_UNREADABLE: 42,
    SDK_INVALID: 42,
    SESSION_BROKEN: 42,
    SESSION_EXISTS: 42,
    SESSION_FILE_UNREADABLE: 42,
    SESSION_ID_INVALID: 42,
    SESSION_IN_USE: 42,
    SESSION_PROMPT_UNKNOWN: 42,
    SESSION_TITLE_INVALID: 42,
    SESSION_UNKNOWN: 42,
    SESSION_WAIT_INVALID: 42,
    SETTINGS_BROKEN: 52,
    SETTINGS_UNREADABLE: 52,
    SETTINGS_UNSAFE: 52,
    SYSTEM_FILE_UNREADABLE: 42,
    SHELLS_NEED_CONVERSATION: 42,
    SKILL_INVALID: 42,
    SKILL_UNKNOWN: 42,
    TAG_UNKNOWN: 42,
    TERMINAL_MISSING: 42,
    TERMINAL_NEEDED: 42,
    THOUGHT_LEVEL_UNKNOWN: 42,
    TIME_EXHAUSTED: 53,
    TRUST_FILE_INVALID: 52,
    TRUST_FOLDER_MISSING: 42,
    TURNS_EXHAUSTED: 53,
    YOLO_DISABLED: 52,
  });
});

test('the kernel, its packages, the program and each plugin throw these codes [surface.pinned]', async () => {
  const tables = await readErrorTables();
  expect(Object.fromEntries([...tables].map(([by, table]) => [by, Object.keys(table).sort().join(' ')]))).toEqual({
    kernel:
      'CAPABILITY_REFUSED CAPABILITY_UNDECLARED GUARDS_UNPROVEN HOOK_FAILED HOOK_NOT_OWNED ' +
      'PLUGIN_BROKEN SERVICE_CIRCLE SERVICE_FAILED SERVICE_MISSING SERVICE_SCOPE SERVICE_UNDECLARED TOOL_CRASHED ' +
      'TOOL_EDIT_UNSUPPORTED TOOL_INPUT_INVALID TOOL_UNKNOWN',
    hooks: 'HOOK_IMPORT_FAILED HOOK_INPUT_INVALID HOOK_STOPPED HOOK_UNKNOWN HOOK_UNTRUSTED',
    mcp:
      'LOGIN_FAILED LOGIN_NEEDED MCP_CALL_FAILED MCP_CREDENTIALS_BROKEN MCP_LOGIN_FAILED MCP_LOGIN_NEEDED ' +
      'MCP_SERVER_INVALID MCP_SERVER_UNAVAILABLE MCP_SERVER_UNKNOWN MCP_TIMEOUT MCP_TOOL_GONE',
    'mcp-server':
      'MCP_CLIENT_FAILED MCP_CLIENT_LACKS MCP_PROMPT_UNKNOWN MCP_RESOURCE_UNREADABLE ' +
      'MCP_SERVE_FAILED MCP_SERVE_INVALID',
    a2a: 'PEER_SERVE_INVALID PEER_TOKEN_INVALID REMOTE_AGENT_FAILED REMOTE_CARD_INVALID',
    acp: 'ACP_AUTH_MISSING ACP_INVALID ACP_REQUEST_INVALID ACP_SESSION_UNKNOWN',
    admission: 'LOCK_UNREADABLE MANAGED_UNMET MANIFEST_INVALID MANIFEST_UNREADABLE',
    command: 'FLAGS_CONFLICT',
    bin:
      'COMMAND_UNKNOWN CWD_MISSING HOME_FOREIGN HOME_MISSING INSTALLS_UNRELIABLE RUN_HUNG_UP RUN_INTERRUPTED ' +
      'RUN_TERMINATED',
    agent:
      'ANSWER_INVALID ANSWER_MISFIT BUG_ADDRESS_INVALID ' +
      'CALLS_EXCESSIVE CALLS_REFUSED CALL_LOOP CALL_MALFORMED COMMAND_FAILED ' +
      'COMMAND_INPUT_INVALID CONTEXT_TOO_LONG ' +
      'CONVERSATION_NEEDED CONVERSATION_UNKNOWN COPY_EMPTY COPY_TOO_LONG COST_EXHAUSTED COST_UNKNOWN ' +
      'EDITOR_FAILED EDITOR_MISSING ' +
      'KEYBINDINGS_INVALID LIMIT_INVALID MODEL_AUTH MODEL_BLOCKED ' +
      'MODEL_LOOPING MODEL_OVERLOADED MODEL_QUOTA MODEL_REQUEST_INVALID MODEL_UNKNOWN MODEL_UNREACHABLE ' +
      'PROMPT_ARGUMENTS_WRONG ' +
      'PROMPT_EMPTY PROMPT_FILE_INVALID PROMPT_FILE_UNREADABLE PROMPT_REFUSED PROMPT_TWICE PROMPT_UNKNOWN ' +
      'SCHEMA_UNREADABLE SYSTEM_FILE_UNREADABLE TERMINAL_NEEDED THOUGHT_LEVEL_UNKNOWN TIME_EXHAUSTED ' +
      'TURNS_EXHAUSTED UI_MISSING',
    code:
      'CODE_AMBIGUOUS CODE_EDIT_BREAKS CODE_EDIT_STOPPED CODE_LANGUAGE_UNKNOWN ' +
      'CODE_SERVER_FAILED CODE_SERVER_MISSING CODE_SYMBOL_MISSING CODE_TOO_COMPLEX CODE_UNREADABLE',
    console: '',
    extensions:
      'EXTENSION_EXISTS EXTENSION_INVALID EXTENSION_REFUSED EXTENSION_SECRETS_BROKEN EXTENSION_UNKNOWN ' +
      'EXTENSION_UNREACHABLE EXTENSION_UNWRITABLE EXTENSION_VALUE_MISSING',
    'custom-commands':
      'CUSTOM_COMMAND_EXISTS CUSTOM_COMMAND_FAILED CUSTOM_COMMAND_INVALID CUSTOM_COMMAND_REFUSED ' +
      'CUSTOM_COMMAND_UNKNOWN',
    bundles:
      'ARCHIVE_REFUSED BUNDLE_ARCHIVE_MISSING BUNDLE_EXISTS BUNDLE_EXPIRED BUNDLE_INVALID BUNDLE_KEY_UNUSABLE ' +
      'BUNDLE_LOOSE BUNDLE_NOT_ADMINISTRATOR BUNDLE_REFUSED BUNDLE_REPLAYED BUNDLE_STALE BUNDLE_TAMPERED ' +
      'BUNDLE_UNCONFIRMED BUNDLE_UNFIT BUNDLE_UNKNOWN BUNDLE_UNREADABLE BUNDLE_UNTRUSTED BUNDLE_UNWRITABLE ' +
      'CATALOG_INVALID CATALOG_UNKNOWN CATALOG_UNREACHABLE ' +
      'INSTALL_BUSY INSTALL_CHANGED INSTALL_DOWNGRADED INSTALL_FORBIDDEN INSTALL_FROZEN INSTALL_INCOMPLETE ' +
      'INSTALL_LOOKALIKE INSTALL_MISSING INSTALL_PROGRAM_MISSING INSTALL_SPEC_INVALID INSTALL_UNAUTHORISED ' +
      'INSTALL_UNCONFIRMED INSTALL_UNREACHABLE INSTALL_UNWRITABLE PLUGIN_NOT_INSTALLED PLUGIN_UNFIT ' +
      'PROVENANCE_BROKEN ROLLBACK_IMPOSSIBLE SIGNATURE_BROKEN',
    devkit:
      'BUILD_INVALID CODE_UNCOMPILED NPM_MISSING PACKAGE_UNLENT PACK_REFUSED PLUGIN_FOLDER_OCCUPIED ' +
      'PLUGIN_NAME_INVALID TESTS_MISSING TIER_MISSING',
    directories: 'DIRECTORY_UNNAMED',
    doctor: 'CALL_FORGOTTEN PLUGIN_UNKNOWN',
    env: '',
    filesystem:
      'DISK_FULL DISK_READ_ONLY EDIT_AMBIGUOUS EDIT_NOT_FOUND EDIT_NO_CHANGE EDIT_SEARCH_BLANK FILES_TOO_MANY ' +
      'FILE_CHANGED FILE_ENCODING_UNKNOWN FILE_EXISTS FILE_IGNORED FILE_IS_DIRECTORY FILE_IS_SPECIAL FILE_MISSING ' +
      'FILE_READ_ONLY FILE_TOO_LARGE FILE_UNREADABLE FILE_UNWRITABLE FOLDER_IS_FILE FOLDER_MISSING ' +
      'FOLDER_UNREADABLE LINE_MISSING LINE_RANGE_REVERSED TEXT_ABBREVIATED TEXT_UNENCODABLE',
    'fleet-bullmq': 'QUEUE_ADDRESS_INVALID QUEUE_UNREACHABLE QUEUE_UNSAFE',
    ide: 'COMPANION_SILENT COMPANION_UNFIT COMPANION_UNKNOWN IDE_CLI_MISSING IDE_INSTALL_FAILED IDE_UNKNOWN',
    'ide-neovim': 'NEOVIM_FILE_UNWRITABLE NEOVIM_UNFIT NEOVIM_UNREACHABLE',
    'model-gemini': 'GROUNDING_FAILED',
    'model-openai': '',
    'model-replay': 'RECORDING_UNREADABLE RECORDING_UNWRITABLE',
    network: 'PROXY_INVALID PROXY_UNSUPPORTED',
    policy:
      'CALL_UNCLEAR MODE_TOO_LOOSE MODE_UNKNOWN POLICY_ADMIN_BROKEN POLICY_ADMIN_UNSAFE POLICY_BROKEN ' +
      'POLICY_CASES_INVALID POLICY_UNREADABLE POLICY_UNWRITABLE RULE_NOT_NARROWER YOLO_DISABLED',
    sdk: 'RUN_CANCELLED SDK_CLOSED SDK_INVALID SDK_PLUGIN_REFUSED',
    search: 'PATTERN_INVALID SEARCH_PATH_IGNORED SEARCH_PATH_UNUSABLE SEARCH_TIMEOUT',
    secrets: '',
    sessions:
      'CHECKPOINT_CONFLICT CHECKPOINT_UNKNOWN EXPORT_EXISTS EXPORT_FORMAT_UNKNOWN EXPORT_UNWRITABLE ' +
      'RESUME_NEEDS_CONVERSATION SESSION_BROKEN SESSION_EXISTS SESSION_FILE_UNREADABLE SESSION_FLAGS_CONFLICT ' +
      'SESSION_ID_INVALID ' +
      'SESSION_IN_USE SESSION_PROMPT_UNKNOWN SESSION_TITLE_INVALID SESSION_UNKNOWN SESSION_UNWRITABLE ' +
      'SESSION_WAIT_INVALID TAG_TAKEN ' +
      'TAG_UNKNOWN',
    settings:
      'KEY_MALFORMED SETTINGS_BROKEN SETTINGS_LOCKED SETTINGS_PLACELESS SETTINGS_UNREADABLE SETTINGS_UNSAFE ' +
      'SETTINGS_UNWRITABLE SETTING_MISFIT SETTING_REMOTE SETTING_UNKNOWN VALUE_UNCLEAR',
    shell:
      'COMMAND_BLANK COMMAND_DIRECTORY_GONE COMMAND_TOO_LONG COMMAND_UNSTARTED PROCESSES_EXHAUSTED ' +
      'PROCESS_UNKNOWN SHELLS_NEED_CONVERSATION SHELL_MISSING TERMINAL_NONE',
    isolation: 'FRAME_TOO_LARGE PLUGIN_CHANGED PLUGIN_DIED PLUGIN_LEFT_OUT PLUGIN_UNISOLATED SERVICE_LOCAL',
    sandbox: 'SANDBOX_GRANT_INVALID SANDBOX_OPTION_INVALID SANDBOX_ROOT_TOO_WIDE SANDBOX_UNAVAILABLE SANDBOX_UNKNOWN',
    ask: 'ANSWERS_UNREADABLE QUESTION_INVALID QUESTION_UNANSWERED',
    context: 'CONTEXT_NODE_UNKNOWN',
    evals:
      'EVAL_FLAG_INVALID EVAL_INVALID EVAL_NOT_AGREED EVAL_RUN_BUSY EVAL_RUN_UNKNOWN EVAL_RUN_UNREADABLE ' +
      'EVAL_RUN_UNWRITABLE EVAL_TASK_OTHER EVAL_UNKNOWN EVAL_UNTRUSTED EVAL_UNWRITABLE EVAL_VARIANT_INVALID',
    fleet:
      'FLEET_NOT_AGREED FLEET_PLAN_INVALID FLEET_TOKENS_EXHAUSTED FLEET_UNKNOWN FLEET_UNREADABLE FLEET_UNWRITABLE ' +
      'QUEUE_ABSENT QUEUE_BUSY ' +
      'QUEUE_FENCE_LOST QUEUE_TASK_INVALID QUEUE_UNREADABLE QUEUE_UNWRITABLE REPOSITORY_FAILED',
    learning:
      'INBOX_INVALID INBOX_NOT_AGREED INBOX_UNDO INBOX_UNKNOWN INBOX_UNWRITABLE LEARNING_FAILED LEARNING_UNSAFE',
    subagents:
      'AGENT_DEPTH AGENT_EXISTS AGENT_FAILED AGENT_INVALID AGENT_NO_LOGIN AGENT_REFUSED AGENT_UNKNOWN ' +
      'DOCS_UNKNOWN WORKTREE_FAILED WORKTREE_IN_USE WORKTREE_NAME WORKTREE_UNKNOWN WORKTREE_UNMERGED',
    skills: 'SKILL_CHANGED SKILL_INSTALL_FAILED SKILL_INVALID SKILL_NOT_AGREED SKILL_UNKNOWN SKILL_UNREADABLE',
    memory: 'CONTEXT_UNCONFIRMED CONTEXT_UNWRITABLE MEMORY_REFUSED MEMORY_UNCHANGED MEMORY_UNCHECKED',
    telemetry: 'TELEMETRY_NO_FILE TELEMETRY_OFF TELEMETRY_UNREACHABLE',
    todos: 'TODOS_INVALID TRACKER_INVALID',
    web:
      'PAGE_FORBIDDEN PAGE_RATE PAGE_TOO_LARGE PAGE_UNREACHABLE PAGE_UNREADABLE ' +
      'SEARCH_FAILED URL_INVALID URL_PRIVATE',
    plan: 'PLAN_DIRECTORY_OUTSIDE PLAN_DISABLED PLAN_INVALID PLAN_NEEDS_CONVERSATION PLAN_UNKNOWN PLAN_UNREADABLE',
    tools: 'ARGUMENTS_UNREADABLE CALL_REFUSED',
    tour: 'TOUR_FAILED',
    trust: 'FOLDER_UNTRUSTED TRUST_FILE_INVALID TRUST_FOLDER_MISSING',
    tui: 'EDITOR_KEYS_BROKEN FOOTER_UNCLEAR FOOTER_UNKNOWN TERMINAL_MISSING',
    workspace:
      'DIRECTORY_MISSING DIRECTORY_NOT_A_DIRECTORY DIRECTORY_NOT_KEPT DIRECTORY_UNREADABLE PATH_CHANGED ' +
      'PATH_INVALID PATH_OUTSIDE_WORKSPACE PATH_UNRESOLVABLE PROJECT_UNWRITABLE WORKSPACE_CONFINED',
  });
});
