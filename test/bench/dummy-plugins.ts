import {mkdir, mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A home in which `count` generated plugins are installed, each with a tool, a listener and two commands, and code that must not be read. */
export async function createHome(count: number): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), `gemini-bench-${count}-`));
  const installed = join(home, '.local', 'share', 'gemini', 'ext');
  const names = Array.from({length: count}, (_, index) => `dummy-${String(index).padStart(3, '0')}`);
  for (const name of names) await writePlugin(join(installed, 'node_modules', name), name);
  await mkdir(installed, {recursive: true});
  await writeFile(join(installed, 'package.json'), JSON.stringify({name: 'gemini', private: true, oclif: {schema: 1, plugins: names.map((name) => ({name, type: 'user', tag: 'latest'}))}, dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0']))}));
  return home;
}

async function writePlugin(root: string, name: string): Promise<void> {
  const id = name.replace('-', '_');
  const code = `throw new Error('${name} was imported');\n`;
  const command = (verb: string) => ({id: `${name}:${verb}`, aliases: [], args: {}, flags: {}, hiddenAliases: [], strict: true, isESM: true, pluginName: name, pluginType: 'user', relativePath: ['dist', 'commands', `${verb}.js`], summary: `Does ${verb}.`});
  const manifest = {
    manifestVersion: 1, name, version: '1.0.0', description: 'Generated for measuring.', kernel: '^0.1.0', requires: {services: {}},
    tools: [{name: id, description: 'Does nothing.', effect: 'read', annotations: {}, input: {type: 'object', properties: {text: {type: 'string'}}}, module: './dist/tool.js'}],
    services: [], hooks: [], flags: [], errors: {},
    listeners: [{hook: 'tool:judge', filter: {tool: id}, module: './dist/listener.js'}],
    commands: ['run', 'stop'].map((verb) => ({id: `${name}:${verb}`, aliases: [], summary: `Does ${verb}.`, slash: false, module: `./dist/commands/${verb}.js`})),
  };
  await mkdir(join(root, 'dist', 'commands'), {recursive: true});
  await Promise.all([
    writeFile(join(root, 'package.json'), JSON.stringify({name, version: '1.0.0', type: 'module', oclif: {commands: './dist/commands'}})),
    writeFile(join(root, 'gemini.plugin.json'), JSON.stringify(manifest)),
    writeFile(join(root, 'oclif.manifest.json'), JSON.stringify({version: '1.0.0', commands: {[`${name}:run`]: command('run'), [`${name}:stop`]: command('stop')}})),
    ...['tool.js', 'listener.js', 'commands/run.js', 'commands/stop.js'].map((file) => writeFile(join(root, 'dist', file), code)),
  ]);
}
