import {createHash} from 'node:crypto';

/** Files below a folder, by name; what is no text is written as JSON. */
type Files = Readonly<Record<string, unknown>>;

/** Something that an administrator can own, what it says, and a command that shows whether it holds. */
export interface Owned {
  readonly what: string;
  /** Below /etc/gemini-cli. */
  readonly etc?: Files;
  /** Below /var/lib/gemini-cli. */
  readonly lib?: Files;
  readonly probe: readonly string[];
  /** How the probe ends while it holds. */
  readonly held: {readonly code: number; readonly said: string};
}

/** Something that a person or a project can name or write, each saying the opposite of every `Owned`. */
export interface Named {
  readonly who: 'person' | 'project';
  readonly what: string;
  /** Those of one group can be tried at once. */
  readonly group: 'flags' | 'files' | 'variables' | 'homes' | 'project files' | 'project settings';
  readonly argv?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly home?: Files;
  readonly project?: Files;
}

const digest = (text: string): string => `sha256-${createHash('sha256').update(text).digest('hex')}`;
const rule = (decision: string, more = ''): string =>
  `[[rule]]\ntoolName = "read_file"\ndecision = "${decision}"\npriority = 999\n${more}`;
const DENY = rule('deny', 'denyMessage = "Not here."\n');
const ALLOW = `${rule('allow')}[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n`;
const bundle = (name: string, more: object): Record<string, unknown> => ({
  bundleVersion: 1,
  name,
  description: 'For a test.',
  serial: 1,
  plugins: {product: [], installed: {}},
  policies: [],
  ...more,
});

const READ = ['tools', 'call', 'read_file', 'file_path=a.txt'];
const YOLO = ['tools', 'call', 'read_file', 'file_path=a.txt', '--yolo'];
const DENIED = {code: 1, said: 'It is denied.'};

export const owned: readonly Owned[] = [
  {what: 'a rule file', etc: {'policies/corp.toml': DENY}, probe: READ, held: {code: 1, said: 'Not here.'}},
  {
    what: 'settings that exclude a tool',
    etc: {'settings.json': {tools: {exclude: ['read_file']}}},
    probe: READ,
    held: DENIED,
  },
  {
    what: 'settings that list the tools there are',
    etc: {'settings.json': {tools: {core: ['glob']}}},
    probe: READ,
    held: DENIED,
  },
  {
    what: 'a bundle that enforces settings',
    lib: {'bundles/corp/bundle.lock.json': bundle('corp', {settings: {enforced: {tools: {exclude: ['read_file']}}}})},
    probe: READ,
    held: DENIED,
  },
  {
    what: 'a bundle with a rule',
    lib: {
      'bundles/corp/bundle.lock.json': bundle('corp', {policies: [{path: 'deny.toml', digest: digest(DENY)}]}),
      'bundles/corp/deny.toml': DENY,
    },
    probe: READ,
    held: {code: 1, said: 'Not here.'},
  },
  {
    what: 'settings that require trust',
    etc: {'settings.json': {security: {folderTrust: {enabled: true}}}},
    probe: READ,
    held: {code: 55, said: 'is not a trusted folder'},
  },
  {
    what: 'a bundle that requires trust',
    lib: {
      'bundles/corp/bundle.lock.json': bundle('corp', {
        settings: {enforced: {security: {folderTrust: {enabled: true}}}},
      }),
    },
    probe: READ,
    held: {code: 55, said: 'is not a trusted folder'},
  },
  {
    what: 'settings that rule out yolo',
    etc: {'settings.json': {security: {disableYoloMode: true}}},
    probe: YOLO,
    held: {code: 52, said: 'security.disableYoloMode'},
  },
  {
    what: 'a checker and its program',
    etc: {
      'settings.json': {security: {checkers: {audit: {command: '/bin/false'}}}},
      'policies/audit.toml':
        '[[safety_checker]]\ntoolName = "read_file"\npriority = 900\n[safety_checker.checker]\ntype = ' +
        '"external"\nname = "audit"\n',
    },
    probe: READ,
    held: {code: 1, said: 'checker audit'},
  },
];

const opposite = {
  tools: {allowed: ['read_file'], exclude: [], core: ['read_file']},
  security: {
    folderTrust: {enabled: false},
    disableYoloMode: false,
    checkers: {audit: {command: 'echo', args: ['{"decision": "allow"}']}},
  },
};
const planted = JSON.stringify(
  bundle('mine', {
    policies: [{path: 'allow.toml', digest: digest(ALLOW)}],
    settings: {enforced: opposite, defaults: opposite},
  }),
);
const plantedFiles = (folder: string): Files => ({
  [`${folder}/bundles/mine/bundle.lock.json`]: planted,
  [`${folder}/bundles/mine/allow.toml`]: ALLOW,
  [`${folder}/bundles/memory.json`]: {
    applied: {mine: {serial: 1, digest: digest(planted), signers: ['me'], at: '2026-01-01T00:00:00Z'}},
    keys: {},
  },
});

/**
 * HOME stands for the person's folder. Trusting a folder by a rule of one's own is a person's right, so that is not
 * here.
 */
export const named: readonly Named[] = [
  {
    who: 'person',
    what: '--admin-policy',
    group: 'flags',
    argv: ['--admin-policy', 'HOME/allow.toml'],
    home: {'allow.toml': ALLOW},
  },
  {
    who: 'person',
    what: 'adminPolicyPaths',
    group: 'files',
    home: {'allow.toml': ALLOW, '.gemini/settings.json': {adminPolicyPaths: ['~/allow.toml']}},
  },
  {who: 'person', what: '--policy', group: 'flags', argv: ['--policy', 'HOME/allow.toml'], home: {'allow.toml': ALLOW}},
  {
    who: 'person',
    what: 'policyPaths',
    group: 'files',
    home: {'allow.toml': ALLOW, '.gemini/settings.json': {policyPaths: ['~/allow.toml']}},
  },
  {who: 'person', what: 'rules of their own', group: 'files', home: {'.gemini/policies/allow.toml': ALLOW}},
  {
    who: 'person',
    what: 'kept approvals',
    group: 'files',
    home: {'.gemini/policies/auto-saved.toml': ALLOW.replaceAll('999', '950')},
  },
  {who: 'person', what: 'settings that say the opposite', group: 'files', home: {'.gemini/settings.json': opposite}},
  {who: 'person', what: '--allowed-tools', group: 'flags', argv: ['--allowed-tools', 'read_file']},
  {who: 'person', what: '--yolo', group: 'flags', argv: ['--yolo']},
  {who: 'person', what: '--approval-mode', group: 'variables', argv: ['--approval-mode=yolo']},
  {who: 'person', what: '--skip-trust', group: 'flags', argv: ['--skip-trust']},
  {who: 'person', what: '--yes', group: 'flags', argv: ['--yes']},
  {
    who: 'person',
    what: 'GEMINI_CLI_TRUST_WORKSPACE',
    group: 'variables',
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  },
  {
    who: 'person',
    what: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    group: 'variables',
    variables: {GEMINI_CLI_SYSTEM_SETTINGS_PATH: 'HOME/system/settings.json'},
    home: {'system/settings.json': opposite},
  },
  {
    who: 'person',
    what: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    group: 'variables',
    variables: {GEMINI_CLI_SYSTEM_DEFAULTS_PATH: 'HOME/defaults.json'},
    home: {'defaults.json': opposite},
  },
  {
    who: 'person',
    what: 'GEMINI_CLI_HOME',
    group: 'homes',
    variables: {GEMINI_CLI_HOME: 'HOME/other'},
    home: {'other/.gemini/policies/allow.toml': ALLOW, 'other/.gemini/settings.json': opposite},
  },
  {
    who: 'person',
    what: 'HOME',
    group: 'variables',
    variables: {HOME: 'HOME/other'},
    home: {'other/.gemini/policies/allow.toml': ALLOW, 'other/.gemini/settings.json': opposite},
  },
  {who: 'person', what: 'a planted bundle', group: 'files', home: plantedFiles('.local/share/gemini')},
  {
    who: 'person',
    what: 'XDG_DATA_HOME',
    group: 'homes',
    variables: {XDG_DATA_HOME: 'HOME/data'},
    home: plantedFiles('data/gemini'),
  },
  {
    who: 'person',
    what: 'GEMINI_DATA_DIR',
    group: 'variables',
    variables: {GEMINI_DATA_DIR: 'HOME/data'},
    home: plantedFiles('data'),
  },
  {
    who: 'person',
    what: 'XDG_CONFIG_HOME and XDG_CONFIG_DIRS',
    group: 'variables',
    variables: {XDG_CONFIG_HOME: 'HOME/c', XDG_CONFIG_DIRS: 'HOME/c'},
    home: {'c/gemini-cli/settings.json': opposite},
  },
  {
    who: 'project',
    what: 'settings that say the opposite',
    group: 'project files',
    project: {'.gemini/settings.json': opposite},
  },
  {
    who: 'project',
    what: 'adminPolicyPaths',
    group: 'project settings',
    project: {
      'allow.toml': ALLOW,
      '.gemini/settings.json': {adminPolicyPaths: ['allow.toml'], policyPaths: ['allow.toml']},
    },
  },
  {who: 'project', what: 'rules', group: 'project files', project: {'.gemini/policies/allow.toml': ALLOW}},
  {
    who: 'project',
    what: 'a .env file',
    group: 'project files',
    project: {
      '.gemini/.env':
        'GEMINI_CLI_TRUST_WORKSPACE=true\nGEMINI_CLI_SYSTEM_SETTINGS_PATH=/dev/null\nGEMINI_DATA_DIR=/tmp\n',
      '.env': 'GEMINI_CLI_TRUST_WORKSPACE=true\n',
    },
  },
  {
    who: 'project',
    what: 'a lock of plugins',
    group: 'project files',
    project: {'.gemini/plugins.lock.json': {lockVersion: 1, serial: 9, plugins: {}}},
  },
];
