import {mkdir, mkdtemp, rename, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {hashTree, storeName, type LockedPlugin} from '@gemini-kernel/admission';

/**
 * A home in which `count` generated plugins are installed, each with a tool, a listener and two commands, and code that
 * must not be read.
 */
export async function createHome(count: number): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), `gemini-bench-${count}-`));
  const data = join(home, '.local', 'share', 'gemini');
  const names = Array.from({length: count}, (_, index) => `dummy-${String(index).padStart(3, '0')}`);
  const plugins: Record<string, LockedPlugin> = {};
  for (const name of names) {
    const staged = join(data, 'store', name);
    await writePlugin(join(staged, 'node_modules', name), name);
    const locked: LockedPlugin = {
      version: '1.0.0',
      source: {type: 'folder', location: staged},
      tree: hashTree(staged),
      capabilities: [],
    };
    await rename(staged, join(data, 'store', storeName(name, locked)));
    plugins[name] = locked;
  }
  await mkdir(data, {recursive: true});
  await writeFile(join(data, 'plugins.lock.json'), JSON.stringify({lockVersion: 1, serial: 1, plugins}));
  return home;
}

async function writePlugin(root: string, name: string): Promise<void> {
  const id = name.replace('-', '_');
  const code = `throw new Error('${name} was imported');\n`;
  const command = (verb: string) => ({
    id: `${name}:${verb}`,
    aliases: [],
    args: {},
    flags: {},
    hiddenAliases: [],
    strict: true,
    isESM: true,
    pluginName: name,
    pluginType: 'user',
    relativePath: ['dist', 'commands', `${verb}.js`],
    summary: `Does ${verb}.`,
  });
  const manifest = {
    manifestVersion: 1,
    name,
    version: '1.0.0',
    description: 'Generated for measuring.',
    kernel: '^0.2.0',
    requires: {services: {}},
    tools: [
      {
        name: id,
        description: 'Does nothing.',
        effect: 'read',
        annotations: {},
        input: {type: 'object', properties: {text: {type: 'string'}}},
        module: './dist/tool.js',
      },
    ],
    services: [],
    hooks: [],
    flags: [],
    errors: {},
    listeners: [{hook: 'tool:judge', filter: {tool: id}, module: './dist/listener.js'}],
    commands: ['run', 'stop'].map((verb) => ({
      id: `${name}:${verb}`,
      aliases: [],
      summary: `Does ${verb}.`,
      slash: false,
      module: `./dist/commands/${verb}.js`,
    })),
  };
  await mkdir(join(root, 'dist', 'commands'), {recursive: true});
  await Promise.all([
    writeFile(
      join(root, 'package.json'),
      JSON.stringify({name, version: '1.0.0', type: 'module', oclif: {commands: './dist/commands'}}),
    ),
    writeFile(join(root, 'gemini.plugin.json'), JSON.stringify(manifest)),
    writeFile(
      join(root, 'oclif.manifest.json'),
      JSON.stringify({
        version: '1.0.0',
        commands: {[`${name}:run`]: command('run'), [`${name}:stop`]: command('stop')},
      }),
    ),
    ...['tool.js', 'listener.js', 'commands/run.js', 'commands/stop.js'].map((file) =>
      writeFile(join(root, 'dist', file), code),
    ),
  ]);
}
