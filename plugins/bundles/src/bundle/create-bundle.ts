import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {LockedPlugin, PluginsLock} from '@gemini-kernel/admission';
import type {Bundle, ListedPlugin} from './bundle.js';

export interface CreatedBundle {
  readonly directory: string;
  readonly files: readonly string[];
  /** Installed plugins that a bundle cannot contain, with the reason. */
  readonly left: readonly string[];
}

/**
 * Writes the folder of a new bundle; with a lock, it lists what is installed now. Throws KernelError BUNDLE_INVALID,
 * BUNDLE_EXISTS or BUNDLE_UNWRITABLE.
 */
export async function createBundle(directory: string, name: string, lock?: PluginsLock): Promise<CreatedBundle> {
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new KernelError('BUNDLE_INVALID', `${name} is not a valid name for a bundle.`, {
      hint: 'Use lowercase letters, digits and hyphens, starting with a letter.',
    });
  const {listed, left} = listInstalled(lock);
  const bundle: Bundle = {
    name,
    description: `What ${name} works with.`,
    serial: 1,
    plugins: listed,
    policies: [`policies/${name}.toml`],
    settings: {defaults: {}, enforced: {}},
  };
  const files: Readonly<Record<string, string>> = {
    [`${name}.bundle.json`]: `${JSON.stringify(bundle, null, 2)}\n`,
    [`policies/${name}.toml`]: POLICY,
    'README.md': readme(name),
    '.gitignore': '# Private keys stay out of the repository.\n*.key.pem\n*.gemini-bundle\n',
  };
  await writeFiles(directory, files);
  return {directory, files: Object.keys(files), left};
}

async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  try {
    await mkdir(join(directory, 'policies'), {recursive: true});
    for (const [path, text] of Object.entries(files)) await writeFile(join(directory, path), text, {flag: 'wx'});
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new KernelError('BUNDLE_EXISTS', `Cannot create a bundle in ${directory}: ${messageOf(cause)}`, {
        cause,
        hint: 'Choose another --directory.',
      });
    throw new KernelError('BUNDLE_UNWRITABLE', `Cannot create a bundle in ${directory}: ${messageOf(cause)}`, {
      cause,
      hint: 'Choose another --directory.',
    });
  }
}

function listInstalled(lock: PluginsLock | undefined): {
  readonly listed: readonly ListedPlugin[];
  readonly left: readonly string[];
} {
  const listed: ListedPlugin[] = [];
  const left: string[] = [];
  for (const [name, plugin] of Object.entries(lock?.plugins ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const from = describeOrigin(plugin);
    const isLink = plugin.source.type === 'link';
    if (from === undefined)
      left.push(`${name}: it is ${isLink ? 'a link to a folder that can change at any time' : 'from another bundle'}.`);
    else listed.push({name, version: plugin.version, ...(from === '' ? {} : {from})});
  }
  return {listed, left};
}

/**
 * The spec with which `gemini plugins install` would get it; empty for the registry, undefined when there is no such
 * spec.
 */
function describeOrigin({source}: LockedPlugin): string | undefined {
  if (source.type === 'registry') return '';
  if (source.type === 'tarball' || source.type === 'folder') return source.location;
  return source.type === 'git'
    ? `git+${source.location.includes('://') ? source.location : `file://${source.location}`}#${source.commit}`
    : undefined;
}

const POLICY = `# Rules that come with the bundle; gemini policy explain <tool> shows which one decides.

[[rule]]
id = "ask-before-commands"
description = "Commands ask, whatever the mode."
toolName = "run_shell_command"
decision = "ask_user"
priority = 100
interactive = true
`;

function readme(name: string): string {
  return `# ${name}

A bundle of plugins, policies and settings. After each change, raise \`serial\`, then run:

\`\`\`sh
gemini bundle lock ${name}.bundle.json
gemini bundle sign ${name}.bundle.lock.json --key corp.key.pem --name corp
gemini bundle export ${name}.bundle.lock.json
\`\`\`

Review the lock like code: \`gemini bundle diff <before> <after>\` shows what changed.
`;
}
